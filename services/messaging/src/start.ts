/** Wires the messaging service: a queue of its own, each request answered to the ingress that asked; and the pages of preference centers. */
import { type AnswersReplacements, failForGood, openServiceStore, startAnswers } from '@roster/batch';
import { createPhoneUrls, createReadCredential, openChannels } from '@roster/channels';
import { pointsOfTemplates, work } from '@roster/contract';
import { openLiquid, type Templates } from '@roster/liquid';
import { createLateCharges } from '@roster/queue';
import { type Config, type Context, environment, type Running, readyWhen } from '@roster/runtime';
import { createLimitOf, type Store } from '@roster/store';
import { type AnswerOptions, createAnswer } from './answer.ts';
import { createLinks, type Links } from './links/link.ts';
import { createPageUrls } from './links/page-urls.ts';
import { baseUrl } from './pages/base-url.ts';
import { openPagesQueue, type PagesQueue, startPages } from './pages/start-pages.ts';
import { createSenderSettings } from './sending/settings.ts';
import { type SendingReplacements, startSending } from './sending/start-sending.ts';

type MessagingContext = Context<Config<'messaging'>>;

const limits = { requests: 20, entries: 100, bytes: 4_000_000 };

/** A slow one does not hold up those of other workspaces. */
const turnsAtOnce = 4;

/** What fault tests exchange. */
export interface Replacements extends AnswersReplacements {
  pagesQueue?: typeof openPagesQueue;
  sending?: SendingReplacements;
}

const answeringOf = (options: AnswerOptions) => ({
  name: 'messaging' as const,
  what: 'requests about messages and pages',
  isWell: options.store.isWell,
  limits,
  concurrency: 16,
  turnsAtOnce,
  apply: createAnswer(options),
  failed: failForGood(options.store),
});

/** In microseconds. */
const templateCharges = ({ workspaces }: Store, redis: PagesQueue['redis']) =>
  createLateCharges({ redis, rateOf: createLimitOf(workspaces, work), pointsOf: pointsOfTemplates });

const pageUrlsOf = ({ config }: MessagingContext, links: Links, port: number) =>
  createPageUrls({ links, base: baseUrl(config, port), days: config.PAGES_LINK_DAYS });

export const startMessaging = async (
  context: MessagingContext,
  { pagesQueue = openPagesQueue, sending: instead = {}, ...replacements }: Replacements = {},
): Promise<Running> => {
  const store = await openServiceStore('messaging', context);
  const links = createLinks(context.config.ROSTER_SECRET);
  const queue = pagesQueue(context);
  const liquid = openLiquid();
  const charges = templateCharges(store, queue.redis);
  const liquidOf = (ws: string): Templates => liquid.metered((cpuMs) => charges.add(ws, cpuMs * 1000));
  const settingsOf = createSenderSettings(store);
  const { CREDENTIALS_DIR, ROSTER_SECRET } = context.config;
  const channels = openChannels();
  const readCredential = createReadCredential({ env: environment(), dir: CREDENTIALS_DIR });
  const phoneUrls = createPhoneUrls(ROSTER_SECRET);
  const parts = { store, links, liquid, settingsOf, phoneUrls, channels, readCredential };
  const server = await startPages(context, parts, queue);
  const urls = pageUrlsOf(context, links, server.port);
  const options = { store, liquidOf, urls, settingsOf, fresh: queue.fresh };
  const worker = startAnswers(context, answeringOf(options), replacements);
  const sending = startSending(context, {
    store,
    liquidOf,
    settingsOf,
    fresh: queue.freshNow,
    urls,
    channels,
    readCredential,
    reportUrl: (call) => phoneUrls.url(baseUrl(context.config, server.port), call),
    ...instead,
  });
  const workerReady = readyWhen({ Redis: worker.answers, MongoDB: store.ping });
  return {
    async ready() {
      const verdict = await workerReady();
      return verdict === true ? server.ready() : verdict;
    },
    port: server.port,
    async stop() {
      await server.close();
      await worker.close();
      await sending.stop();
      await channels.close();
      await charges.close();
      await queue.close();
      await liquid.close();
      await store.close();
    },
  };
};

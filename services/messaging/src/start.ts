/** Wires the messaging service: a queue of its own, each request answered to the ingress that asked; and the pages of preference centers. */
import {
  type AnswersReplacements,
  failForGood,
  openCharges,
  openServiceStore,
  startAnswers,
} from '@roster/batch';
import { pointsOfTemplates } from '@roster/contract';
import { openLiquid, type Templates } from '@roster/liquid';
import { type Config, type Context, type Running, readyWhen } from '@roster/runtime';
import { type AnswerOptions, createAnswer } from './answer.ts';
import { createLinks, type Links } from './links/link.ts';
import { createPageUrls } from './links/page-urls.ts';
import { baseUrl } from './pages/base-url.ts';
import { openPagesQueue, startPages } from './pages/start-pages.ts';
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

const answeringOf = (options: AnswerOptions) =>
  ({
    name: 'messaging',
    what: 'requests about messages and pages',
    store: options.store,
    limits,
    concurrency: 16,
    turnsAtOnce,
    apply: createAnswer(options),
    failed: failForGood(options.store),
  }) as const;

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
  /** In microseconds. */
  const charges = openCharges(context, { store, redis: queue.redis, pointsOf: pointsOfTemplates });
  const liquidOf = (ws: string): Templates => liquid.metered((cpuMs) => charges.add(ws, cpuMs * 1000));
  const server = await startPages(context, { store, links, liquidOf }, queue);
  const urls = pageUrlsOf(context, links, server.port);
  const settingsOf = createSenderSettings(store);
  const options = { store, liquidOf, urls, settingsOf, fresh: queue.fresh };
  const worker = startAnswers(context, answeringOf(options), replacements);
  const sending = startSending(context, {
    store,
    liquidOf,
    settingsOf,
    fresh: queue.freshNow,
    urls,
    ...instead,
  });
  return {
    ready: readyWhen({ Redis: worker.answers, MongoDB: store.ping }),
    port: server.port,
    async stop() {
      await server.close();
      await worker.close();
      await sending.stop();
      await charges.close();
      await queue.close();
      await liquid.close();
      await store.close();
    },
  };
};

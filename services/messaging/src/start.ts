/** Wires the messaging service: a queue of its own, each request answered to the ingress that asked; and the pages of preference centers. */

import { createPhoneUrls, createReadCredential, openChannels } from '@roster/channels';
import { operationById, pointsOfTemplates, work } from '@roster/contract';
import { openLiquid, type Templates } from '@roster/liquid';
import { createBatchWorker, createLateCharges, queuesOf } from '@roster/queue';
import {
  type Config,
  type Context,
  environment,
  measureAnswers,
  type Running,
  readyWhen,
} from '@roster/runtime';
import { classify, createLimitOf, openStore, type Store } from '@roster/store';
import { type AnswerOptions, createAnswer } from './answer.ts';
import { createLinks, type Links } from './links/link.ts';
import { createPageUrls } from './links/page-urls.ts';
import { failed } from './once.ts';
import { baseUrl } from './pages/base-url.ts';
import { openPagesQueue, type PagesQueue, startPages } from './pages/start-pages.ts';
import { createSenderSettings } from './sending/settings.ts';
import { type SendingReplacements, startSending } from './sending/start-sending.ts';

type MessagingContext = Context<Config<'messaging'>>;

const limits = { requests: 20, entries: 100, bytes: 4_000_000 };

/** A slow one does not hold up those of other workspaces. */
const turnsAtOnce = 4;

/** What fault tests exchange. */
export interface Replacements {
  batchWorker?: typeof createBatchWorker;
  pagesQueue?: typeof openPagesQueue;
  sending?: SendingReplacements;
}

const openMessagingStore = ({ config, log }: MessagingContext): Promise<Store> =>
  openStore({
    url: config.MONGO_URL,
    appName: 'roster-messaging',
    secret: config.ROSTER_SECRET,
    ensureIndexes: true,
    onWaiting: (err) => log.warn({ err }, 'MongoDB is not there yet'),
  });

const startWorker = (
  context: MessagingContext,
  options: AnswerOptions,
  batchWorker: typeof createBatchWorker,
) => {
  const { config, log } = context;
  const { store } = options;
  return batchWorker({
    url: config.REDIS_URL,
    queues: queuesOf('messaging', 1),
    limits,
    concurrency: 16,
    turnsAtOnce,
    classify,
    isWell: store.isWell,
    apply: createAnswer(options),
    async dead(request, { code, reason }) {
      const { id, op, ws } = request;
      log.error({ request: id, op, ws, code }, 'a request about messages or pages failed');
      if (operationById(op)?.kind === 'write') await store.outcomes.fail(request, reason);
      return failed(request);
    },
    on: measureAnswers(context, 'messaging', 'requests about messages and pages'),
  });
};

/** In microseconds. */
const templateCharges = ({ workspaces }: Store, redis: PagesQueue['redis']) =>
  createLateCharges({ redis, rateOf: createLimitOf(workspaces, work), pointsOf: pointsOfTemplates });

const pageUrlsOf = ({ config }: MessagingContext, links: Links, port: number) =>
  createPageUrls({ links, base: baseUrl(config, port), days: config.PAGES_LINK_DAYS });

export const startMessaging = async (
  context: MessagingContext,
  { batchWorker = createBatchWorker, pagesQueue = openPagesQueue, sending: instead = {} }: Replacements = {},
): Promise<Running> => {
  const store = await openMessagingStore(context);
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
  const parts = { store, links, liquidOf, settingsOf, phoneUrls, channels, readCredential };
  const server = await startPages(context, parts, queue);
  const urls = pageUrlsOf(context, links, server.port);
  const options = { store, liquidOf, urls, settingsOf, fresh: queue.fresh };
  const worker = startWorker(context, options, batchWorker);
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
  return {
    ready: readyWhen({ Redis: worker.answers, MongoDB: store.ping }),
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

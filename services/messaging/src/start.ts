/** Wires the messaging service: a queue of its own, each request answered to the ingress that asked; and the pages of preference centers. */
import { operationById } from '@roster/contract';
import { openLiquid } from '@roster/liquid';
import { createBatchWorker, queuesOf } from '@roster/queue';
import { type Config, type Context, type Running, readyWhen } from '@roster/runtime';
import { classify, openStore, type Store } from '@roster/store';
import { createAnswer } from './answer.ts';
import type { Tools } from './handler.ts';
import { createLinks, type Links } from './links/link.ts';
import { createPageUrls } from './links/page-urls.ts';
import { failed } from './once.ts';
import { baseUrl } from './pages/base-url.ts';
import { openPagesQueue, startPages } from './pages/start-pages.ts';

type MessagingContext = Context<Config<'messaging'>>;

const limits = { requests: 20, entries: 100, bytes: 4_000_000 };

/** A slow one does not hold up those of other workspaces. */
const turnsAtOnce = 4;

/** What fault tests exchange. */
export interface Replacements {
  batchWorker?: typeof createBatchWorker;
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
  { config, log, metrics }: MessagingContext,
  tools: Tools,
  batchWorker: typeof createBatchWorker,
) => {
  const { store } = tools;
  const turns = metrics.histogram({
    name: 'roster_messaging_turn_seconds',
    help: 'Time to answer one batch of requests about messages and pages.',
  });
  return batchWorker({
    url: config.REDIS_URL,
    queues: queuesOf('messaging', 1),
    limits,
    concurrency: 16,
    turnsAtOnce,
    classify,
    isWell: store.isWell,
    apply: createAnswer(tools),
    async dead(request, { code, reason }) {
      const { id, op, ws } = request;
      log.error({ request: id, op, ws, code }, 'a request about messages or pages failed');
      if (operationById(op)?.kind === 'write') await store.outcomes.fail(request, reason);
      return failed;
    },
    on: {
      turn: (_jobs, _requests, _entries, ms) => turns.with().observe(ms / 1000),
      retry: (err, requests) => log.warn({ err, requests }, 'a batch of requests is tried again'),
      error: (err) => log.error({ err }, 'the queue could not be served'),
    },
  });
};

const pageUrlsOf = ({ config }: MessagingContext, links: Links, port: number) =>
  createPageUrls({ links, base: baseUrl(config, port), days: config.PAGES_LINK_DAYS });

export const startMessaging = async (
  context: MessagingContext,
  { batchWorker = createBatchWorker }: Replacements = {},
): Promise<Running> => {
  const store = await openMessagingStore(context);
  const links = createLinks(context.config.ROSTER_SECRET);
  const queue = openPagesQueue(context);
  const liquid = openLiquid();
  const server = await startPages(context, { store, links, liquid }, queue);
  const urls = pageUrlsOf(context, links, server.port);
  const worker = startWorker(context, { store, liquid, urls, fresh: queue.fresh }, batchWorker);
  return {
    ready: readyWhen({ Redis: worker.answers, MongoDB: store.ping }),
    port: server.port,
    async stop() {
      await server.close();
      await worker.close();
      await queue.close();
      await liquid.close();
      await store.close();
    },
  };
};

/** Wires the pages: what they read, where a choice goes, and their server. */
import type { Channels, PhoneUrls, ReadCredential } from '@roster/channels';
import type { Templates } from '@roster/liquid';
import {
  answers,
  createFence,
  createProducer,
  pressureLimits,
  profileQueues,
  queuesOf,
  shareOfMemory,
  takeStamps,
  watchPressure,
} from '@roster/queue';
import { type Config, type Context, readyWhen } from '@roster/runtime';
import type { Store } from '@roster/store';
import { createFindCenter } from '../centers/find-center.ts';
import { createFormTokens, rememberedHours } from '../links/form-token.ts';
import type { Links } from '../links/link.ts';
import { createPhoneCalls } from '../phone/calls.ts';
import { createSay, type Say } from '../phone/statement.ts';
import type { SettingsOfSender } from '../sending/settings.ts';
import { createWriteReport } from '../sending/write-report.ts';
import { perCenterAndMinute, perLinkAndMinute, usualBounds } from './bounds.ts';
import { createMinuteLimit } from './minute-limit.ts';
import { createPages } from './pages.ts';
import { createPlaces } from './places.ts';
import { createPreferences } from './preferences.ts';
import { type PageServer, startPageServer } from './server.ts';
import { createSubmit, type Submit } from './submission.ts';

type MessagingContext = Context<Config<'messaging'>>;

interface PagesParts {
  store: Store;
  links: Links;
  liquid: Templates;
  settingsOf: SettingsOfSender;
  phoneUrls: PhoneUrls;
  channels: Channels;
  readCredential: ReadCredential;
}

/** As long as a read of the interface waits. */
const freshWithinMs = 1000;

const openProducer = ({ config }: MessagingContext, most: () => number) =>
  createProducer({
    url: config.REDIS_URL,
    secret: config.ROSTER_SECRET,
    partitions: config.TRACK_PARTITIONS,
    waitReplicas: config.REDIS_WAIT_REPLICAS,
    idempotencyHours: rememberedHours,
    mostKept: most,
  });

export const openPagesQueue = (context: MessagingContext) => {
  const { IDEMPOTENCY_SHARE, TRACK_PARTITIONS } = context.config;
  const most = (): number => shareOfMemory(IDEMPOTENCY_SHARE, pressure.gauge());
  const producer = openProducer(context, most);
  // Redis is protected from strangers as it is from callers of the interface.
  const pressure = watchPressure({
    redis: producer.redis,
    queues: queuesOf('subscription', 1),
    limits: pressureLimits(context.config),
  });
  const submit = createSubmit(producer);
  const fence = createFence(producer.redis, profileQueues(TRACK_PARTITIONS));
  /** Whether all is applied that was accepted before now. Also without Redis a page is shown: nothing can be saved then, and the person is told so. */
  const freshNow = (ws: string): Promise<boolean> =>
    takeStamps(producer.redis, 1)
      .then((at) => fence.wait(at, freshWithinMs, ws))
      .catch(() => false);
  return {
    redis: producer.redis,
    answers: () => answers(producer.redis),
    say: (parts: Pick<Parameters<typeof createSay>[0], 'store' | 'settingsOf'>): Say => {
      const say = createSay({ ...parts, producer, fresh: freshNow });
      return async (said) => (pressure.refusal() ? 'full' : say(said));
    },
    submit: (async (submitted) => (pressure.refusal() ? 'full' : submit(submitted))) satisfies Submit,
    fresh: (at: number, ws: string): Promise<boolean> => fence.wait(at, freshWithinMs, ws),
    freshNow,
    async close(): Promise<void> {
      pressure.close();
      await producer.close();
    },
  };
};

export type PagesQueue = ReturnType<typeof openPagesQueue>;

export const startPages = (
  { config, log, metrics }: MessagingContext,
  { store, links, liquid, settingsOf, phoneUrls, channels, readCredential }: PagesParts,
  { submit, say, freshNow, answers: queueAnswers }: PagesQueue,
): Promise<PageServer> => {
  const answered = metrics.counter({
    name: 'roster_pages_total',
    help: 'Requests for pages of preference centers, by the status of their answers.',
    labels: ['status'],
  });
  const instead = metrics.counter({
    name: 'roster_pages_default_instead_total',
    help: 'Default pages that were shown because a preference center, or those of its workspace, are opened too often.',
  });
  const byNetwork = createMinuteLimit({ perMinute: config.PAGES_PER_MINUTE });
  const phone = createPhoneCalls({
    urls: phoneUrls,
    settingsOf,
    readCredential,
    channels,
    writeReport: createWriteReport(store),
    say: say({ store, settingsOf }),
    byNetwork,
  });
  const pages = createPages({
    links,
    tokens: createFormTokens(config.ROSTER_SECRET),
    readPreferences: createPreferences(store),
    findCenter: createFindCenter({
      store,
      liquid,
      byCenter: createMinuteLimit({ perMinute: perCenterAndMinute }),
      rendering: createPlaces(usualBounds.rendering),
      onBusy: instead.with().inc,
      onFault: (center, { fault }) =>
        log.warn({ center, fault }, 'a page of a preference center could not be rendered'),
    }),
    submit,
    fresh: freshNow,
    byNetwork,
    byLink: createMinuteLimit({ perMinute: perLinkAndMinute }),
  });
  return startPageServer({
    pages,
    phone,
    host: config.HOST,
    port: config.PAGES_PORT,
    trustedProxies: config.TRUSTED_PROXIES,
    ready: readyWhen({ Redis: queueAnswers, MongoDB: store.ping }),
    log,
    onAnswer: (status) => answered.with(String(status)).inc(),
  });
};

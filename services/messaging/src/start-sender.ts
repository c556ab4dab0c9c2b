/** Wires the process that sends: schedules that are due with their lanes, live activities, and the providers. */
import { type ChannelsOptions, createPhoneUrls, createReadCredential } from '@roster/channels';
import { defaultCenterId, present } from '@roster/contract';
import { createProducer, openWatch, reportProcess } from '@roster/queue';
import { type Config, type Context, environment, type Running, readyWhen } from '@roster/runtime';
import { secretsOf } from '@roster/secrets';
import type { Store } from '@roster/store';
import { type ActivityTimes, startActivities } from './activities/start-activities.ts';
import { rememberedHours } from './links/form-token.ts';
import { baseUrl } from './links/page-urls.ts';
import { openProcess } from './open-process.ts';
import { createSay, optOutOf } from './phone/statement.ts';
import { createFire } from './sending/fire.ts';
import { createHand } from './sending/hand.ts';
import { startLanes } from './sending/lanes.ts';
import { createScanBudget, type ScanBudget } from './sending/scans.ts';
import { createTurn } from './sending/turn.ts';

/** What fault tests exchange. */
export interface SendingReplacements {
  lostAfterMs?: number;
  activities?: ActivityTimes;
  lookEveryMs?: number;
  fire?: typeof createFire;
  scanBudget?: ScanBudget;
  names?: ChannelsOptions['names'];
  transact?(transact: Store['transact']): Store['transact'];
}

type SenderContext = Context<Config<'sender'>>;

const openParts = async (context: SenderContext, { names }: SendingReplacements) => {
  const { config, metrics } = context;
  const parts = await openProcess('sender', context, present({ names }));
  const phoneUrls = createPhoneUrls(secretsOf(config));
  const producer = createProducer({
    url: config.REDIS_URL,
    secret: secretsOf(config),
    partitions: config.TRACK_PARTITIONS,
    waitReplicas: 0,
    idempotencyHours: rememberedHours,
  });
  const say = createSay({ ...parts, producer, fresh: parts.freshNow });
  return {
    ...parts,
    async close(): Promise<void> {
      await producer.close();
      await parts.close();
    },
    hand: createHand({
      ...parts,
      readCredential: createReadCredential({ env: environment(), dir: config.CREDENTIALS_DIR }),
      onOptedOut: ({ ws, phone, id }) => say(optOutOf(ws, phone, id)),
      reportUrl: (call) => phoneUrls.url(baseUrl(config), call),
      unsubscribeOf: (ws, person) => parts.urls.unsubscribe({ ws, center: defaultCenterId, person }),
    }),
    sends: metrics.counter({
      name: 'roster_sends_total',
      help: 'Tries to send a message to one recipient, by channel and by what became of them.',
      labels: ['channel', 'state'],
    }),
  };
};

type SenderParts = Awaited<ReturnType<typeof openParts>>;

const startDeliveries = (
  { log, metrics }: SenderContext,
  parts: SenderParts,
  instead: SendingReplacements,
) => {
  const { store: whole, redis, settingsOf, sends } = parts;
  const {
    transact = (usual) => usual,
    fire = createFire,
    scanBudget = createScanBudget(whole, redis),
    lostAfterMs,
    lookEveryMs,
  } = instead;
  const store = { ...whole, transact: transact(whole.transact) };
  const patience = present({ lostAfterMs, lookEveryMs });
  const givenBack = metrics.counter({
    name: 'roster_deliveries_given_back_total',
    help: 'Turns that gave deliveries, or the rest of their people, back before they were sent to, by reason.',
    labels: ['reason'],
  });
  const turns = createTurn({
    ...parts,
    ...patience,
    store,
    scanBudget,
    on: {
      givenBack: (reason) => givenBack.with(reason).inc(),
      sent: ({ row, state }) => sends.with(row.channel, state).inc(),
      error: (err, deliveries) =>
        log.error({ err, deliveries }, 'a turn of deliveries failed and is retried'),
    },
  });
  return startLanes({
    ...patience,
    store,
    fire: fire({ store, settingsOf }),
    turns,
    onConvicted: (delivery) =>
      log.error(
        { delivery },
        'a delivery failed for good: it ended its process each time it was tried alone',
      ),
    onError: (err) => log.warn({ err }, 'reading due schedules failed'),
  });
};

export const startSender = async (
  context: SenderContext,
  instead: SendingReplacements = {},
): Promise<Running> => {
  const { config, log } = context;
  const parts = await openParts(context, instead);
  const watch = openWatch({
    url: config.REDIS_URL,
    onError: (err) => log.warn({ err }, 'the watch thread has failed'),
  });
  const report = reportProcess(config.REDIS_URL, context.processor);
  const lanes = startDeliveries(context, parts, instead);
  const activities = startActivities({
    ...parts,
    ...instead.activities,
    onTold: (state) => parts.sends.with('live_activity', state).inc(),
    onError: (err) => log.error({ err }, 'updating a live activity failed and is retried'),
  });
  return {
    ready: readyWhen({ Redis: parts.answers, MongoDB: parts.store.ping }),
    async stop() {
      await Promise.all([lanes.stop(), activities.stop()]);
      await watch.close();
      report.close();
      await parts.close();
    },
  };
};

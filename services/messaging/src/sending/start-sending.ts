/** Wires the sending: schedules that are due, their lanes, and the providers. */
import type { Channels, PhoneCall, ReadCredential } from '@roster/channels';
import { defaultCenterId } from '@roster/contract';
import type { Templates } from '@roster/liquid';
import type { Config, Context } from '@roster/runtime';
import type { Store } from '@roster/store';
import { type ActivityTimes, startActivities } from '../activities/start-activities.ts';
import type { PageUrls } from '../links/page-urls.ts';
import type { Fence } from './fence.ts';
import { createFire } from './fire.ts';
import { createHand } from './hand.ts';
import { startLanes } from './lanes.ts';
import type { ScanBudget } from './scans.ts';
import type { SettingsOfSender } from './settings.ts';
import { createTurn } from './turn.ts';

/** What fault tests exchange. */
export interface SendingReplacements {
  lostAfterMs?: number;
  activities?: ActivityTimes;
  lookEveryMs?: number;
  fire?: typeof createFire;
  scanBudget?: ScanBudget;
}

interface SendingParts extends SendingReplacements {
  store: Store;
  settingsOf: SettingsOfSender;
  liquidOf(ws: string): Templates;
  fence: Fence;
  urls: PageUrls;
  channels: Channels;
  readCredential: ReadCredential;
  reportUrl(call: PhoneCall): string;
  scanBudget: ScanBudget;
}

export interface RunningSending {
  stop(): Promise<void>;
}

export const startSending = (
  { log, metrics }: Pick<Context<Config<'sender'>>, 'log' | 'metrics'>,
  {
    store,
    settingsOf,
    liquidOf,
    fence,
    urls,
    channels,
    readCredential,
    reportUrl,
    scanBudget,
    lostAfterMs,
    activities: activityTimes,
    lookEveryMs,
    fire = createFire,
  }: SendingParts,
): RunningSending => {
  const sends = metrics.counter({
    name: 'roster_sends_total',
    help: 'Tries to send a message to one recipient, by channel and by what became of them.',
    labels: ['channel', 'state'],
  });
  const turns = createTurn({
    store,
    settingsOf,
    liquidOf,
    urls,
    fence,
    scanBudget,
    ...(lostAfterMs !== undefined && { lostAfterMs }),
    hand: createHand({
      channels,
      settingsOf,
      readCredential,
      reportUrl,
      unsubscribeOf: (ws, person) => urls.unsubscribe({ ws, center: defaultCenterId, person }),
    }),
    on: {
      sent: ({ row, state }) => sends.with(row.channel, state).inc(),
      error: (err, deliveries) =>
        log.error({ err, deliveries }, 'a turn of deliveries failed and is retried'),
    },
  });
  const lanes = startLanes({
    store,
    fire: fire({ store, settingsOf }),
    turns,
    ...(lostAfterMs !== undefined && { lostAfterMs }),
    onConvicted: (delivery) =>
      log.error(
        { delivery },
        'a delivery failed for good: it ended its process each time it was tried alone',
      ),
    ...(lookEveryMs !== undefined && { lookEveryMs }),
    onError: (err) => log.warn({ err }, 'reading due schedules failed'),
  });
  const activities = startActivities({
    store,
    settingsOf,
    channels,
    readCredential,
    ...activityTimes,
    onTold: (state) => sends.with('live_activity', state).inc(),
    onError: (err) => log.error({ err }, 'updating a live activity failed and is retried'),
  });
  return {
    async stop() {
      await Promise.all([lanes.stop(), activities.stop()]);
    },
  };
};

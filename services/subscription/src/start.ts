/** The subscription service: its own parts of a batch (packages/batch), and the states that lapse after 30 days. */
import {
  type BatchContext,
  type BatchReplacements,
  type BatchService,
  startBatchService,
} from '@roster/batch';
import { createGate, createSchedule, growing, isJobAboutAliases, queuesOf, scheduleOf } from '@roster/queue';
import { countResults } from '@roster/runtime';
import type { Store } from '@roster/store';
import { createApply, type SubscriptionApplyOptions } from './apply.ts';
import { resultOf } from './operations.ts';
import { createOrphanSweep } from './orphans.ts';

/** Replaced by fault tests. */
export interface SubscriptionReplacements
  extends BatchReplacements,
    Pick<SubscriptionApplyOptions, 'planned'> {}

const limits = { requests: 200, entries: 1000, bytes: 4_000_000 };

const sweepEveryMs = 3600_000;

const scheduleSweep = ({ config, log }: BatchContext, store: Store) => {
  const sweep = createOrphanSweep({ store });
  return createSchedule({
    url: config.REDIS_URL,
    queue: scheduleOf('orphans'),
    everyMs: sweepEveryMs,
    async run() {
      const contacts = await sweep();
      log.debug({ contacts }, 'checked contacts that may have no owner');
    },
    onError: (err) => log.error({ err }, 'checking contacts without an owner failed'),
  });
};

const own: BatchService<SubscriptionReplacements>['own'] = async (
  { store, redis, partitions },
  road,
  context,
  { planned },
) => ({
  apply: createApply({
    ...road,
    onApplied: countResults(context, {
      name: 'roster_subscription_names_total',
      help: 'Names of requests that were applied, by what became of them.',
    }),
    ...(planned && { planned }),
  }),
  resultOf,
  // A request just before may tell who the person is, but for its aliases. Requests wait only for lower stamps, so there is no circle.
  fence: createGate(
    redis,
    growing(partitions, (count) => [...queuesOf('track', count), ...queuesOf('identity', 1)]),
    { isPassable: isJobAboutAliases },
  ),
  beside: [await scheduleSweep(context, store)],
});

export const startSubscription = (context: BatchContext, replacements: SubscriptionReplacements = {}) =>
  startBatchService({ name: 'subscription', limits, own }, context, replacements);

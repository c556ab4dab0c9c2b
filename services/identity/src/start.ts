/** The identity service: its own parts of a batch (packages/batch), and the sweeps of deleted people. */
import {
  type BatchContext,
  type BatchParts,
  type BatchReplacements,
  type BatchService,
  startBatchService,
} from '@roster/batch';
import {
  createDeletions,
  createFence,
  createGate,
  type Gate,
  growing,
  growingTrack,
  type HeldUp,
  isAboutAliases,
  profileQueues,
  queuesOf,
  takeStamps,
} from '@roster/queue';
import { countResults } from '@roster/runtime';
import type { Transact } from '@roster/store';
import { createApply } from './apply.ts';
import { createLetterEraser } from './erase-letters.ts';
import { resultOf } from './operations.ts';
import { recordDeletions } from './record-deletions.ts';
import { createSweeper } from './sweeper.ts';

/** Replaced by fault tests. */
export interface IdentityReplacements extends BatchReplacements {
  fence?: Gate;
  transact?: Transact;
  sweeper?: typeof createSweeper;
}

const limits = { requests: 200, entries: 1000, bytes: 4_000_000 };

/** The default of MongoDB, when the server does not tell. */
const defaultLifetimeSeconds = 60;

/**
 * A statement of consent that was accepted before a deletion or merge counts before it. Requests wait only for lower stamps, so there is no circle.
 * Requests about aliases wait for none: where they alternated with statements, each of both would wait for the one before.
 */
const createIdentityGate = ({ redis, partitions }: BatchParts, heldUp: HeldUp): Gate => {
  const withStatements = growing(partitions, (count) => [
    ...queuesOf('track', count),
    ...queuesOf('subscription', 1),
  ]);
  const ofAliases = createGate(redis, growingTrack(partitions), { heldUp });
  const ofOthers = createGate(redis, withStatements, { heldUp });
  return async (requests) => {
    const passed = await Promise.all([
      ofAliases(requests.filter(isAboutAliases)),
      ofOthers(requests.filter((one) => !isAboutAliases(one))),
    ]);
    return new Set(passed.flatMap((ids) => [...ids]));
  };
};

const own: BatchService<IdentityReplacements>['own'] = (parts, road, context, replacements) => {
  const { store, redis, letters, lifetimeSeconds = defaultLifetimeSeconds } = parts;
  const sweeper = (replacements.sweeper ?? createSweeper)({
    store,
    // However long a request waits: when it is applied, the sweep has to come after it.
    fence: createFence(redis, growing(parts.partitions, profileQueues), Number.POSITIVE_INFINITY),
    eraseLetters: createLetterEraser(store, letters),
    lifetimeMs: lifetimeSeconds * 1000,
    onError: (err) => context.log.error({ err }, 'a sweep failed and is retried'),
  });
  const deletions = createDeletions(redis);
  return {
    apply: createApply({
      ...road,
      takeStamp: () => takeStamps(redis, 1),
      onApplied: countResults(context, {
        name: 'roster_identity_entries_total',
        help: 'Entries of requests that were applied, by what became of them.',
      }),
      onDeleted: sweeper.nudge,
      ...(replacements.transact && { transact: replacements.transact }),
    }),
    resultOf,
    fence: replacements.fence ?? createIdentityGate(parts, deletions.before),
    async applied(requests) {
      await recordDeletions(store, requests);
      await deletions.finished(requests);
    },
    failed: (request) => deletions.finished([request]),
    beside: [{ close: sweeper.stop }],
  };
};

export const startIdentity = (context: BatchContext, replacements: IdentityReplacements = {}) =>
  startBatchService({ name: 'identity', limits, own }, context, replacements);

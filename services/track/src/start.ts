/** The track service: its own parts of a batch (packages/batch). */
import {
  type BatchContext,
  type BatchReplacements,
  type BatchService,
  startBatchService,
} from '@roster/batch';
import type { Fold } from '@roster/profile';
import {
  createDeletions,
  createOldestBeside,
  createReadEarlier,
  growing,
  growingTrack,
  type OldestBeside,
  profileQueues,
} from '@roster/queue';
import type { Running } from '@roster/runtime';
import { secretsOf } from '@roster/secrets';
import type { Store } from '@roster/store';
import { createApply } from './apply.ts';
import { createContested } from './contested.ts';
import type { PendingFor } from './deletions.ts';
import type { prepared } from './operations.ts';
import { scheduleRetention } from './retention/schedule-retention.ts';
import { scheduleMerging } from './schedule-merging.ts';
import { createSettingsOf } from './settings.ts';
import { createSync } from './sync.ts';
import type { Marks } from './work.ts';

/** Replaced by fault tests. */
export interface TrackReplacements extends BatchReplacements {
  marks?(store: Store): Marks;
  fold?: Fold;
  prepare?: typeof prepared;
  oldestBeside?: OldestBeside;
  pendingFor?: PendingFor;
  /** Between a commit and the end of its jobs: a worker that dies here has its work repeated. */
  committed?(): Promise<void>;
}

const limits = { requests: 1000, entries: 2000, bytes: 4_000_000 };

const countEntries = ({ metrics }: BatchContext) => {
  const applied = metrics.counter({
    name: 'roster_track_entries_total',
    help: 'Entries of requests that were applied or became dead letters.',
  });
  return (entries: number): void => applied.with().inc(entries);
};

const own: BatchService<TrackReplacements>['own'] = async (parts, road, context, replacements) => {
  const { marks, fold, prepare, oldestBeside, pendingFor, committed } = replacements;
  const { store, redis, partitions } = parts;
  const settingsOf = createSettingsOf(store);
  const contested = createContested();
  const apply = createApply(
    {
      ...road,
      settingsOf,
      onConflict(error, attempt, batch) {
        road.onConflict(error, attempt, batch);
        contested.note(batch);
      },
      ...(marks && { marks: marks(store) }),
      fold,
      prepare,
    },
    {
      oldestBeside: oldestBeside ?? createOldestBeside(redis, growingTrack(partitions)),
      // Requests of other queues may create people, too. Requests wait only for lower stamps, so there is no circle.
      ...(!oldestBeside && { readEarlier: createReadEarlier(redis, growing(partitions, profileQueues)) }),
      pendingFor: pendingFor ?? createDeletions(redis).pendingFor,
      secret: secretsOf(context.config),
    },
  );
  return {
    apply,
    resultOf: createSync({ store, settingsOf }),
    isContested: contested.has,
    ...(committed && { applied: committed }),
    onTurn: countEntries(context),
    beside: [await scheduleRetention(context, store), await scheduleMerging(context, store)],
  };
};

export const startTrack = (context: BatchContext, replacements: TrackReplacements = {}): Promise<Running> =>
  startBatchService({ name: 'track', limits, own }, context, replacements);

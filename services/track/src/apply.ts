/** Applies the requests of a batch, each once and in time: premature requests wait. */
import {
  type Applied,
  type BatchApplyOptions as BatchOptions,
  createBatchApply,
  inOrder,
} from '@roster/batch';
import type { AcceptedRequest } from '@roster/contract';
import type { Deletions, Fold } from '@roster/profile';
import type { OldestBeside, OldestOf, OwnJobs, ReadEarlier } from '@roster/queue';
import type { Secrets } from '@roster/secrets';
import { settingsOfAll } from '@roster/store';
import { deletionsIn, nonePending, type PendingFor, waitingForContacts } from './deletions.ts';
import type { prepared } from './operations.ts';
import { Premature, sortOut, type Waiters } from './premature.ts';
import { defaultSettings, type SettingsOf } from './settings.ts';
import { createMarks, type Marks, workOn } from './work.ts';

export interface TrackApplyOptions extends BatchOptions {
  settingsOf?: SettingsOf;
  /** A fault test replaces it, to see that the test would notice its absence. */
  marks?: Marks;
  fold?: Fold | undefined;
  prepare?: typeof prepared | undefined;
}

/**
 * In the order of the requests; `undefined` for a postponed one. A request that has waited enough is postponed only when the batch
 * is more than fits.
 */
export type Apply = (
  requests: readonly AcceptedRequest[],
  waitedEnough?: ReadonlySet<string>,
  own?: OwnJobs,
) => Promise<(Applied | undefined)[]>;

/** By request id. Throws `Premature`, with nothing done, when a request that is not due depends on an unfinished one. */
export type ApplyRound = (
  batch: readonly AcceptedRequest[],
  waiters: Waiters,
  deletions: Deletions,
) => Promise<ReadonlyMap<string, Applied>>;

const createRound = (options: TrackApplyOptions): ApplyRound => {
  const { store, settingsOf = () => defaultSettings, fold, prepare } = options;
  const marks = options.marks ?? createMarks(store);
  const apply = createBatchApply({ ...options, marks });
  return async (batch, waiters, deletions) => {
    const settings = await settingsOfAll(batch, settingsOf);
    return apply(batch, workOn({ store, marks, fold, prepare }, { settings, waiters, deletions }));
  };
};

/** No request accepted before is ever unfinished, so none waits. */
export const nobodyWaits: OldestBeside = async () => () => Number.POSITIVE_INFINITY;

const nothingEarlier: ReadEarlier = async () => ({ requests: [], upTo: Number.POSITIVE_INFINITY });

/** Without a member there is nothing to wait for: for tests. */
export interface Awaited {
  oldestBeside?: OldestBeside;
  /** In all queues whose requests may create people. */
  readEarlier?: ReadEarlier;
  pendingFor?: PendingFor;
  /** Of the digests in the notices of deletions. */
  secret?: Secrets;
}

/**
 * Postpones requests that find no person while a request accepted before them is unfinished, and requests about people
 * whose deletion was accepted before.
 */
export const applyInTime = (
  round: ApplyRound,
  {
    oldestBeside = nobodyWaits,
    readEarlier = nothingEarlier,
    pendingFor = nonePending,
    secret = '',
  }: Awaited = {},
): Apply => {
  const inTime = async (
    batch: readonly AcceptedRequest[],
    waiters: Waiters,
    deletions: Deletions,
    oldest: () => Promise<OldestOf>,
  ): Promise<ReadonlyMap<string, Applied>> => {
    const timely = batch.filter(({ id }) => !waiters.postponed.has(id));
    if (timely.length === 0) return new Map();
    try {
      return await round(timely, waiters, deletions);
    } catch (error) {
      if (!(error instanceof Premature)) throw error;
      for (const id of error.waiting) waiters.postponed.add(id);
      if (error.unknown.length > 0) await sortOut(error.unknown, { batch, oldest, readEarlier, waiters });
      return inTime(batch, waiters, deletions, oldest);
    }
  };

  return async (requests, waitedEnough = new Set(), own = () => new Set(requests.map(({ at }) => at))) => {
    const batch = inOrder(requests);
    const oldest = () => oldestBeside(own());
    const pending = await pendingFor(batch);
    const postponed = new Set(await waitingForContacts(batch, waitedEnough, pending, oldest));
    const waiters: Waiters = { due: new Set(waitedEnough), lookedUp: new Map(), postponed };
    const outcomes = await inTime(batch, waiters, deletionsIn(pending, secret, waitedEnough), oldest);
    return requests.map(({ id }) => outcomes.get(id));
  };
};

export const createApply = (options: TrackApplyOptions, awaited?: Awaited): Apply =>
  applyInTime(createRound(options), awaited);

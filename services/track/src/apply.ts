/** Applies the requests of a batch, each once and in time: premature requests wait. */
import {
  type Applied,
  type BatchApplyOptions as BatchOptions,
  createBatchApply,
  inOrder,
} from '@roster/batch';
import type { AcceptedRequest } from '@roster/contract';
import { type Deletions, type Fold, noDeletions } from '@roster/profile';
import type { OldestBeside, OldestOf, OwnJobs, ReadEarlier } from '@roster/queue';
import { settingsOfAll } from '@roster/store';
import { deletionsIn, nonePending, type PendingFor, waitingForContacts } from './deletions.ts';
import type { prepared } from './operations.ts';
import { Premature, sortOut, type Waiters } from './premature.ts';
import { defaultSettings, type SettingsOf } from './settings.ts';
import { sortOutUnknown } from './unknown.ts';
import { type Before, createMarks, type Marks, workOn } from './work.ts';

export interface TrackApplyOptions extends BatchOptions {
  settingsOf?: SettingsOf;
  /** A fault test replaces it, to see that the test would notice its absence. */
  marks?: Marks;
  fold?: Fold | undefined;
  prepare?: typeof prepared | undefined;
}

export type Apply = (requests: readonly AcceptedRequest[]) => Promise<Applied[]>;

/**
 * In the order of the requests; `undefined` for a postponed one. A request that has waited enough is postponed only when the batch
 * is more than fits.
 */
type TimelyApply = (
  requests: readonly AcceptedRequest[],
  waitedEnough: ReadonlySet<string>,
  own?: OwnJobs,
) => Promise<(Applied | undefined)[]>;

/** By request id. Throws `Premature`, with nothing done, when a request that is not due depends on an unfinished one. */
type ApplyRound = (
  batch: readonly AcceptedRequest[],
  waiters: Before['waiters'],
  deletions?: Deletions,
) => Promise<ReadonlyMap<string, Applied>>;

const createRound = (options: TrackApplyOptions): ApplyRound => {
  const { store, settingsOf = () => defaultSettings, fold, prepare } = options;
  const marks = options.marks ?? createMarks(store);
  const apply = createBatchApply({ ...options, marks });
  return async (batch, waiters, deletions = noDeletions) => {
    const settings = await settingsOfAll(batch, settingsOf);
    return apply(batch, workOn({ store, marks, fold, prepare }, { settings, waiters, deletions }));
  };
};

/** Postpones nothing: for tests. Requests that do not fit into one turn come in the next. */
export const createApply = (options: TrackApplyOptions): Apply => {
  const round = createRound(options);
  return async (requests) => {
    const outcomes = new Map<string, Applied>();
    const ids = new Set(requests.map(({ id }) => id));
    const waiters = { due: ids, lookedUp: new Map() };
    for (let left = inOrder(requests); left.length > 0; left = left.filter(({ id }) => !outcomes.has(id)))
      for (const [id, outcome] of await round(left, waiters)) outcomes.set(id, outcome);
    return requests.flatMap(({ id }) => outcomes.get(id) ?? []);
  };
};

const nothingEarlier: ReadEarlier = async () => ({ requests: [], upTo: Number.POSITIVE_INFINITY });

export interface Awaited {
  oldestBeside: OldestBeside;
  /** In all queues whose requests may create people. */
  readEarlier?: ReadEarlier;
  pendingFor?: PendingFor;
  /** Of the digests in the notices of deletions. */
  secret?: string;
}

/**
 * Postpones requests that find no person while a request accepted before them is unfinished, and requests about people
 * whose deletion was accepted before.
 */
export const createTimelyApply = (
  options: TrackApplyOptions,
  { oldestBeside, readEarlier = nothingEarlier, pendingFor = nonePending, secret = '' }: Awaited,
): TimelyApply => {
  const round = createRound(options);

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
      const { creating, unknown, waiting } = error.early;
      for (const id of waiting) waiters.postponed.add(id);
      if (creating.length > 0) await sortOut(creating, batch, oldest, waiters);
      if (unknown.length > 0) await sortOutUnknown(unknown, { batch, oldest, readEarlier, waiters });
      return inTime(batch, waiters, deletions, oldest);
    }
  };

  return async (requests, waitedEnough, own = () => new Set(requests.map(({ at }) => at))) => {
    const batch = inOrder(requests);
    const oldest = () => oldestBeside(own());
    const pending = await pendingFor(batch);
    const postponed = new Set(await waitingForContacts(batch, waitedEnough, pending, oldest));
    const waiters: Waiters = { due: new Set(waitedEnough), lookedUp: new Map(), postponed };
    const outcomes = await inTime(batch, waiters, deletionsIn(pending, secret, waitedEnough), oldest);
    return requests.map(({ id }) => outcomes.get(id));
  };
};

/**
 * The result of a premature request may depend on a request that was accepted before it and is unfinished: it may be waiting in another
 * partition or with a worker that just died. Premature requests are postponed; the others go on.
 */
import type { AcceptedRequest } from '@roster/contract';
import type { OldestOf } from '@roster/queue';
import type { Ranked } from './ranked.ts';

/** Requests by what they depend on. */
export interface Early {
  /** They found no such person, and an earlier request may create the person. */
  creating: readonly string[];
  /** They found the person who was changed last of several, and an earlier request may change another one. */
  ranked: readonly Ranked[];
  /** They certainly have to wait: for a deletion. */
  waiting: readonly string[];
}

/** Undoes a transaction with premature requests. */
export class Premature extends Error {
  readonly early: Early;
  constructor(early: Early) {
    super(`${Object.values(early).flat().length} requests may be premature`);
    this.name = 'Premature';
    this.early = early;
  }
}

export interface Waiters {
  waitedEnough: ReadonlySet<string>;
  /** Every track request accepted before these is finished, or they have waited long enough. */
  due: Set<string>;
  /** No request accepted before these names one of these people. */
  lookedUp: Map<string, ReadonlySet<string>>;
  /** These go back to their queue. */
  postponed: Set<string>;
}

/**
 * Finds the requests that have to wait: also those after other postponed requests of their workspace, in the order of the stamps. Runs before
 * the next snapshot is taken, so the snapshot contains every request finished by then.
 */
export const sortOut = async (
  ids: readonly string[],
  batch: readonly AcceptedRequest[],
  oldestBeside: () => Promise<OldestOf>,
  { due, postponed }: Waiters,
): Promise<void> => {
  const named = new Set(ids);
  const oldest = await oldestBeside();
  const waiting = new Set<string>();
  for (const { id, ws, at } of batch) {
    const isFirst = oldest(ws) > at && !waiting.has(ws);
    if (named.has(id)) (isFirst ? due : postponed).add(id);
    if (postponed.has(id)) waiting.add(ws);
  }
};

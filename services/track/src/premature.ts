/**
 * A request is premature when its result may depend on an earlier request that is unfinished, in another partition or in a worker that died.
 * Premature requests are postponed; the others are applied.
 */
import type { AcceptedRequest } from '@roster/contract';
import type { OldestOf } from '@roster/queue';

/** A request, and the names by which it found nobody. */
export interface Unknown extends Pick<AcceptedRequest, 'id' | 'ws' | 'at'> {
  names: ReadonlySet<string>;
}

/** Requests by what they depend on. */
export interface Early {
  /** Requests that found no such person: any earlier request may create the person. */
  creating: readonly Pick<AcceptedRequest, 'id'>[];
  /** Requests that found nobody by some names: an earlier request with one of these names may create the person. */
  unknown: readonly Unknown[];
  /** Requests that must wait for a deletion. */
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
  /** Every track request accepted before these is finished, or they have waited long enough. */
  due: Set<string>;
  /** By request id: the names that are in no earlier request. */
  lookedUp: Map<string, ReadonlySet<string>>;
  /** These go back to their queue. */
  postponed: Set<string>;
}

/** Requests are due when no earlier request of their workspace is unfinished, and none of the batch waits. */
export const findFirst = async (
  some: readonly Pick<AcceptedRequest, 'id'>[],
  batch: readonly AcceptedRequest[],
  oldestBeside: () => Promise<OldestOf>,
  { due, postponed }: Waiters,
): Promise<void> => {
  if (some.length === 0) return;
  const named = new Set(some.map(({ id }) => id));
  const oldest = await oldestBeside();
  const waiting = new Set<string>();
  for (const { id, ws, at } of batch) {
    if (postponed.has(id)) waiting.add(ws);
    else if (named.has(id) && oldest(ws) > at && !waiting.has(ws)) due.add(id);
  }
};

/** Returns the requests that have to wait. Runs before the next snapshot is taken, so the snapshot contains every request finished by then. */
export const sortOut = async (
  some: readonly Pick<AcceptedRequest, 'id'>[],
  batch: readonly AcceptedRequest[],
  oldestBeside: () => Promise<OldestOf>,
  waiters: Waiters,
): Promise<void> => {
  await findFirst(some, batch, oldestBeside, waiters);
  for (const { id } of some) if (!waiters.due.has(id)) waiters.postponed.add(id);
};

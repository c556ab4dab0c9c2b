/**
 * The result of a premature request may depend on a request that was accepted before it and is unfinished: it may be waiting in another
 * partition or with a worker that just died. Premature requests are postponed; the others go on.
 */
import type { AcceptedRequest } from '@roster/contract';
import type { OldestOf } from '@roster/queue';

/** A request, and the names by which it found nobody. */
export interface Unknown extends Pick<AcceptedRequest, 'id' | 'ws' | 'at'> {
  names: ReadonlySet<string>;
}

/** Requests by what they depend on. */
export interface Early {
  /** They found no such person, and any earlier request may create the person. */
  creating: readonly Pick<AcceptedRequest, 'id'>[];
  /** They found nobody by some names, and an earlier request with one of these names may create the person. */
  unknown: readonly Unknown[];
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
  /** Every track request accepted before these is finished, or they have waited long enough. */
  due: Set<string>;
  /** By request id: the names that no request accepted before it has. */
  lookedUp: Map<string, ReadonlySet<string>>;
  /** These go back to their queue. */
  postponed: Set<string>;
}

/** The requests before which nothing of their workspace is unfinished, and nothing of the batch waits, are due. */
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

/** Those that are not due have to wait. Runs before the next snapshot is taken, so the snapshot contains every request finished by then. */
export const sortOut = async (
  some: readonly Pick<AcceptedRequest, 'id'>[],
  batch: readonly AcceptedRequest[],
  oldestBeside: () => Promise<OldestOf>,
  waiters: Waiters,
): Promise<void> => {
  await findFirst(some, batch, oldestBeside, waiters);
  for (const { id } of some) if (!waiters.due.has(id)) waiters.postponed.add(id);
};

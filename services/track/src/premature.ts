/**
 * Premature requests find no such person, and a request accepted before them may still create this person: it may be waiting in another
 * partition or with a worker that just died. Premature requests are postponed; the others go on.
 */
import type { AcceptedRequest } from '@roster/contract';
import type { OldestOf } from '@roster/queue';

/** Undoes a transaction with premature requests. */
export class Premature extends Error {
  readonly ids: readonly string[];
  /** Requests that certainly have to wait: for a deletion. */
  readonly waiting: readonly string[];
  constructor(ids: readonly string[], waiting: readonly string[]) {
    super(`${ids.length + waiting.length} requests may be premature`);
    this.name = 'Premature';
    this.ids = ids;
    this.waiting = waiting;
  }
}

export interface Waiters {
  /** Every request accepted before these is finished, or they have waited long enough. */
  due: Set<string>;
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

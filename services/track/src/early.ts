/**
 * Requests that came early: what they ask for depends on somebody not being there, and who was accepted before them may still be on
 * the way, in another partition or with a worker that just died. They wait; everybody else's go on.
 */
import type { AcceptedRequest } from '@roster/contract';
import type { OldestOf } from '@roster/queue';

/** Undoes a transaction in which such requests were found. */
export class Early extends Error {
  readonly ids: readonly string[];
  /** Those that certainly have to wait: for a deletion. */
  readonly waiting: readonly string[];
  constructor(ids: readonly string[], waiting: readonly string[]) {
    super(`${ids.length + waiting.length} requests may have come early`);
    this.name = 'Early';
    this.ids = ids;
    this.waiting = waiting;
  }
}

export interface Waiters {
  /** Nothing that was accepted before these is unfinished, or they have waited long enough. */
  sure: Set<string>;
  /** These have to wait. */
  later: Set<string>;
}

/**
 * Sorts out who has to wait: also those after others of the batch that wait, in the order of the stamps. Asked before the next snapshot is
 * taken: what is finished by then is in it.
 */
export const sortOut = async (
  ids: readonly string[],
  batch: readonly AcceptedRequest[],
  oldestBeside: () => Promise<OldestOf>,
  { sure, later }: Waiters,
): Promise<void> => {
  const named = new Set(ids);
  const oldest = await oldestBeside();
  const waiting = new Set<string>();
  for (const { id, ws, at } of batch) {
    const isFirst = oldest(ws) > at && !waiting.has(ws);
    if (named.has(id)) (isFirst ? sure : later).add(id);
    if (later.has(id)) waiting.add(ws);
  }
};

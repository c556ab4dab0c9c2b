/** The requests of a batch that wait, and those that are due. */
import type { AcceptedRequest } from '@roster/contract';
import type { OldestOf } from '@roster/queue';

export interface Waiters {
  waitedEnough: ReadonlySet<string>;
  /** Every track request accepted before these is finished, or they have waited long enough. */
  due: Set<string>;
  /** No request accepted before these names one of these people. */
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

/** Requests that are not due have to wait. Runs before the next snapshot is taken, so the snapshot contains every request finished by then. */
export const sortOut = async (
  some: readonly Pick<AcceptedRequest, 'id'>[],
  batch: readonly AcceptedRequest[],
  oldestBeside: () => Promise<OldestOf>,
  waiters: Waiters,
): Promise<void> => {
  await findFirst(some, batch, oldestBeside, waiters);
  for (const { id } of some) if (!waiters.due.has(id)) waiters.postponed.add(id);
};

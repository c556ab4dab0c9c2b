/**
 * A request is premature when its result may depend on an earlier request that is unfinished, in another partition or in a worker that died.
 * Premature requests are postponed; the others are applied.
 */
import type { AcceptedRequest } from '@roster/contract';
import type { OldestOf } from '@roster/queue';

/** A request that found nobody by some names: an earlier request with one of these names may create the person. Without names any earlier request may. */
export interface Unknown extends Pick<AcceptedRequest, 'id' | 'ws' | 'at'> {
  names?: ReadonlySet<string> | undefined;
}

/** Undoes a transaction with premature requests. */
export class Premature extends Error {
  override readonly name = 'Premature';
  constructor(
    readonly unknown: readonly Unknown[],
    /** Ids of requests that must wait for a deletion. */
    readonly waiting: readonly string[],
  ) {
    super(`${unknown.length + waiting.length} requests may be premature`);
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
  some: readonly Unknown[],
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

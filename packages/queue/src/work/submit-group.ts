/** Hands a job to the turns, except for its contested requests. */
import type { AcceptedRequest } from '@roster/contract';
import { type Group, unpack } from '../group.ts';
import type { QueueName } from '../names.ts';
import { groupOf, type InHand, inHand } from '../order/postponed.ts';
import { createGathering } from '../produce/gather.ts';
import type { BatchLimits, Leased } from './turns.ts';

export interface LeasedJob extends Leased {
  queue: QueueName;
}

/** A leased job in two parts: its contested requests and the others. */
export const partGroup = (
  job: Parameters<typeof inHand>[0],
  isContested: (request: AcceptedRequest) => boolean,
): { free: Group; contested: InHand[] } => {
  const [free, contested]: [InHand[], InHand[]] = [[], []];
  for (const one of inHand(job)) (isContested(unpack(one.packed)) ? contested : free).push(one);
  return { free: groupOf(free), contested };
};

/** In pieces that each fit into one transaction. */
export const cutContested = <Item extends Pick<InHand, 'entries'>>(
  items: readonly Item[],
  { requests, entries }: Pick<BatchLimits, 'requests' | 'entries'>,
): Item[][] => {
  const pieces: Item[][] = [];
  let room = { requests: 0, entries: 0 };
  for (const item of items) {
    if (pieces.length === 0 || room.requests < 1 || room.entries < item.entries) {
      pieces.push([]);
      room = { requests, entries };
    }
    pieces.at(-1)?.push(item);
    room = { requests: room.requests - 1, entries: room.entries - item.entries };
  }
  return pieces;
};

interface Submitting {
  isContested?: ((request: AcceptedRequest) => boolean) | undefined;
  limits: BatchLimits;
  submit(leased: LeasedJob): Promise<void>;
  settleContested(piece: InHand[]): Promise<void>;
}

export const createSubmitGroup = ({ isContested, limits, submit, settleContested }: Submitting) => {
  /** Contested requests run beside the turns, one piece at a time, so that this process does not collide with itself. */
  const submitContested = createGathering<InHand, void>(async (items) => {
    for (const piece of cutContested(items, limits)) await settleContested(piece);
    return [];
  });

  return async (leased: LeasedJob): Promise<void> => {
    // A job that stalled before runs alone, and as a whole.
    if (!isContested || leased.stalls > 0) return submit(leased);
    const { free, contested } = partGroup(leased, isContested);
    if (contested.length === 0) return submit(leased);
    const parts = contested.map(submitContested);
    if (free.requests.length > 0) parts.push(submit({ ...leased, group: free }));
    const results = await Promise.allSettled(parts);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  };
};

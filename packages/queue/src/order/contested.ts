/** Requests about contested people get jobs of their own, so that other requests do not wait for their retries. */
import type { AcceptedRequest } from '@roster/contract';
import { type Group, unpack } from '../group.ts';
import type { BatchLimits } from '../work/turns.ts';
import { type InHand, inHand, partOf } from './postponed.ts';

/** A leased job in two parts: its contested requests and the others. */
export const partGroup = (
  job: Parameters<typeof inHand>[0],
  isContested: (request: AcceptedRequest) => boolean,
): { free: Group; contested: InHand[] } => {
  const [free, contested]: [InHand[], InHand[]] = [[], []];
  for (const one of inHand(job)) (isContested(unpack(one.packed)) ? contested : free).push(one);
  return { free: partOf(job.group, free), contested };
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

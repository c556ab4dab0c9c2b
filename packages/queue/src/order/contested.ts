/** Requests about contested people get jobs of their own, so that other requests do not wait for their retries. */
import type { AcceptedRequest } from '@roster/contract';
import { type Group, type Packed, unpack } from '../group.ts';
import type { BatchLimits } from '../work/turns.ts';

export interface Contested {
  packed: Packed;
  /** Estimated: a part of the size of its group. */
  entries: number;
}

/** A leased job in two parts: its contested requests and the others. */
export const partGroup = (
  group: Group,
  isContested: (request: AcceptedRequest) => boolean,
): { free: Group; contested: Contested[] } => {
  const share = {
    entries: group.entries / group.requests.length,
    bytes: group.bytes / group.requests.length,
  };
  const contested: Contested[] = [];
  const requests = group.requests.filter((packed) => {
    if (!isContested(unpack(packed))) return true;
    contested.push({ packed, entries: share.entries });
    return false;
  });
  const { length } = requests;
  return {
    free: { ...group, entries: Math.round(length * share.entries), bytes: length * share.bytes, requests },
    contested,
  };
};

/** In pieces that each fit into one transaction. */
export const cutContested = <Item extends Pick<Contested, 'entries'>>(
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

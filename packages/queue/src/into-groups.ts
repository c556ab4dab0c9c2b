/** Cuts gathered requests into groups. */

import type { Outgoing, Sized } from './group.ts';
import type { Notice } from './notice.ts';
import type { TakeBytes } from './write-group.ts';
import { write } from './write-group.ts';

export const maxGroupBytes = 1_000_000;

/** A worker takes a job as a whole, and other jobs wait meanwhile: at most half a turn of the track service. */
export const maxGroupEntries = 1000;

/** About the bytes of a request beside its body. */
const overhead = 60;

const noticesOf = (members: readonly Sized[]): Notice[] =>
  members.flatMap(({ request: { ws, id, at }, naming }) => (naming ? [{ ws, id, at, ...naming }] : []));

/** The workspace of all of them, if it is one. */
export const onlyWorkspace = (items: readonly Sized[]): string | undefined => {
  const ws = items[0]?.request.ws;
  return items.every(({ request }) => request.ws === ws) ? ws : undefined;
};

const close = (members: readonly Sized[], bytes: number, take: TakeBytes): Outgoing => ({
  op: (members[0] as Sized).request.op,
  ws: onlyWorkspace(members),
  oldest: members.reduce((oldest, { request }) => Math.min(oldest, request.at), Number.POSITIVE_INFINITY),
  members: members.length,
  json: write(members, bytes, take),
  notices: noticesOf(members),
});

/** Cuts gathered requests into groups of at most a megabyte and a thousand entries. A bigger request is a group of its own. */
export const intoGroups = (
  items: readonly Sized[],
  maxBytes = maxGroupBytes,
  maxEntries = maxGroupEntries,
  take: TakeBytes = Buffer.allocUnsafe,
): Outgoing[] => {
  const groups: Outgoing[] = [];
  let members: Sized[] = [];
  let bytes = 0;
  let entries = 0;
  for (const item of items) {
    const size = item.body.length + overhead;
    if (members.length > 0 && (bytes + size > maxBytes || entries + item.entries > maxEntries)) {
      groups.push(close(members, bytes, take));
      members = [];
      bytes = 0;
      entries = 0;
    }
    members.push(item);
    bytes += size;
    entries += item.entries;
  }
  if (members.length > 0) groups.push(close(members, bytes, take));
  return groups;
};

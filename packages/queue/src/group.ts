import type { AcceptedRequest } from '@roster/contract';

/** What one BullMQ job carries: whole requests, never a part of one. `v` lets old workers leave alone what they don't know. */
export interface Group {
  v: 1;
  entries: number;
  bytes: number;
  requests: AcceptedRequest[];
}

/** A request on its way into a group, with its size, so that nobody has to measure it again. */
export interface Sized {
  request: AcceptedRequest;
  entries: number;
  bytes: number;
}

export const maxGroupBytes = 1_000_000;

/** Cuts what has gathered into groups of at most a megabyte, or one request if that is bigger. */
export const intoGroups = (items: readonly Sized[], maxBytes = maxGroupBytes): Group[] => {
  const groups: Group[] = [];
  let open: Group | undefined;
  for (const { request, entries, bytes } of items) {
    if (!open || open.bytes + bytes > maxBytes) {
      open = { v: 1, entries: 0, bytes: 0, requests: [] };
      groups.push(open);
    }
    open.requests.push(request);
    open.entries += entries;
    open.bytes += bytes;
  }
  return groups;
};

/** The oldest stamp in a group: what the fence goes by. */
export const oldestStamp = (group: Group): number =>
  group.requests.reduce((oldest, { at }) => Math.min(oldest, at), Number.POSITIVE_INFINITY);

/** A job id tells the fence the oldest stamp inside without reading the job; the suffix keeps every write its own job. */
export const groupId = (oldest: number, suffix: string): string => `g${oldest.toString(36)}-${suffix}`;

export const stampOfGroupId = (id: string): number | undefined => {
  const stamp = /^g([0-9a-z]+)-/.exec(id)?.[1];
  return stamp === undefined ? undefined : Number.parseInt(stamp, 36);
};

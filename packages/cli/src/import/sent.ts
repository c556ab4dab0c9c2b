/** The result of a sent batch, and its idempotency key. */
import { createHash } from 'node:crypto';
import { failed } from '../result.ts';
import type { Answer } from './answer.ts';
import type { NameItem, Refusal } from './batches.ts';
import { type LeftOutOf, leftOutOf } from './row.ts';
import type { TrackClient } from './track-client.ts';

export interface Sent {
  requests: number;
  /** Entries and further names. */
  accepted: number;
  /** Refused, or accepted without effect; unreadable rows belong to the batch. */
  lost: Refusal[];
  /** Accepted entries with an unknown result: not waited for. */
  unknown: number;
  /** The ignored parts of applied entries. */
  notes: string[];
  /** Further names that the key may not give, and what the workspace does not know. */
  leftOut: LeftOutOf[];
}

export interface SendOptions {
  client: TrackClient;
  run?: string;
  /** Whether to wait for the result of every entry. */
  isWaiting?: boolean;
}

export const nothingSent: Sent = {
  requests: 0,
  accepted: 0,
  lost: [],
  unknown: 0,
  notes: [],
  leftOut: [],
};

export const sorted = (lost: Refusal[]): Refusal[] => lost.toSorted((one, other) => one.line - other.line);

export const together = (parts: readonly Sent[]): Sent => ({
  requests: parts.reduce((sum, { requests }) => sum + requests, 0),
  accepted: parts.reduce((sum, { accepted }) => sum + accepted, 0),
  lost: sorted(parts.flatMap(({ lost }) => lost)),
  unknown: parts.reduce((sum, { unknown }) => sum + unknown, 0),
  notes: parts.flatMap(({ notes }) => notes),
  leftOut: parts.flatMap(({ leftOut }) => leftOut),
});

/** A digest of the bytes and their place in the file: the same batch has the same key, and no other has. */
export const idempotencyKeyOf = (json: string, place: string, run = ''): string =>
  `import-${createHash('sha256').update(`${run}\n${place}\n${json}`).digest('hex')}`;

/** Faults that every other batch would meet too. */
const remedies: Readonly<Record<number, string>> = {
  401: 'The key is not known there: set ROSTER_API_KEY, or check the address.',
  403: 'The key needs the permission users.track, and must be allowed from this address.',
  404: 'There is no /users/track: is this the address of a Roster?',
};

export const isJudged = ({ status }: Answer): boolean => status === 400 || status === 413;

export const stop = ({ status, message }: Answer, size: number): Error => {
  if (message === 'Max Input Length Exceeded')
    return failed(
      `the workspace takes fewer than ${size} entries in a request. Use a smaller --batch-size with --restart; 50 is what every workspace takes.`,
    );
  return failed(`the server answered ${status} ${message}. ${remedies[status] ?? ''}`.trim());
};

const inTime = 'give it to the key and import again with --restart: within 24 hours nothing counts twice';

/** Names that are left out because the key may not give them: the reason, and the remedy. */
const lacks = {
  user_aliases: `the key lacks the permission users.alias.new; ${inTime}`,
  'further user_aliases': `to a person without an external id they are added by a merge, and the key lacks users.merge; ${inTime}`,
  former_external_ids:
    'the key lacks the permission users.external_ids.rename; they can only be brought in with their people: give it to the key and import into an empty workspace',
} as const;

export const without = (items: readonly NameItem[], name: keyof typeof lacks): Sent => ({
  ...nothingSent,
  leftOut: items.map(({ line, value }) => leftOutOf(line, value, { name, reason: lacks[name] })),
});

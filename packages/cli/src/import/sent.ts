/** The result of a sent batch, and its idempotency key. */
import { createHash } from 'node:crypto';
import type { Refusal } from './batches.ts';
import type { TrackClient } from './track-client.ts';

export interface Sent {
  requests: number;
  /** Entries and further names. */
  accepted: number;
  /** Of these entries; unreadable rows belong to the batch. */
  refusals: Refusal[];
  /** Accepted, but without effect. */
  ignored: Refusal[];
  /** Accepted entries with an unknown result: not waited for, or the key may not ask. */
  unknown: number;
  /** The ignored parts of applied entries. */
  notes: string[];
  /** Further names that the key may not give. */
  leftOut: string[];
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
  refusals: [],
  ignored: [],
  unknown: 0,
  notes: [],
  leftOut: [],
};

export const sorted = (refusals: Refusal[]): Refusal[] =>
  refusals.toSorted((one, other) => one.line - other.line);

export const together = (parts: readonly Sent[]): Sent => ({
  requests: parts.reduce((sum, { requests }) => sum + requests, 0),
  accepted: parts.reduce((sum, { accepted }) => sum + accepted, 0),
  refusals: sorted(parts.flatMap(({ refusals }) => refusals)),
  ignored: sorted(parts.flatMap(({ ignored }) => ignored)),
  unknown: parts.reduce((sum, { unknown }) => sum + unknown, 0),
  notes: parts.flatMap(({ notes }) => notes),
  leftOut: parts.flatMap(({ leftOut }) => leftOut),
});

/** A digest of the bytes and their place in the file: the same batch has the same key, and no other has. */
export const idempotencyKeyOf = (json: string, place: string, run = ''): string =>
  `import-${createHash('sha256').update(`${run}\n${place}\n${json}`).digest('hex')}`;

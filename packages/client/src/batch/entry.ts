/** An entry of a batch: its text, whom it is about, and how its caller hears of it. */
import { jsonOf } from '../json-text.ts';
import type { EntryOutcome } from './types.ts';

/** In the order in which the service applies the lists of a request. */
export const lists = ['attributes', 'events', 'purchases'] as const;

/** Places in `lists`. */
export const ranks = { attributes: 0, events: 1, purchases: 2 } as const satisfies Record<
  (typeof lists)[number],
  number
>;

export interface Entry {
  /** Of its list, in `ranks`. */
  rank: number;
  text: string;
  bytes: number;
  person: string;
  settle(outcome: EntryOutcome): void;
}

interface Naming {
  external_id?: unknown;
  user_alias?: unknown;
  service_id?: unknown;
  email?: unknown;
  phone?: unknown;
}

/** Of an alias, in any order of its members. */
const aliasOf = (alias: unknown): string => {
  const { alias_label, alias_name } = Object(alias);
  return JSON.stringify([alias_label, alias_name]);
};

/** By the identifier that counts (docs/api.md, users.track): one person under two of them is two people here. */
const personIn = ({ external_id, user_alias, service_id, email, phone }: Naming): string => {
  if (external_id != null) return String(external_id);
  // No external id begins with NUL.
  if (user_alias != null) return `\0a${aliasOf(user_alias)}`;
  if (service_id != null) return `\0s${service_id}`;
  return email == null ? `\0p${phone}` : `\0e${email}`;
};

const encoder = new TextEncoder();
const scratch = new Uint8Array(4096);

// biome-ignore lint/suspicious/noControlCharactersInRegex: text of one byte for each character
const oneByteEach = /^[\x00-\x7f]*$/;

/** Of a short text exactly: writing it out is the fastest way to count. Of a long one at least as many as it has. */
const bytesOf = (text: string): number => {
  if (text.length * 3 <= scratch.length) return encoder.encodeInto(text, scratch).written;
  return oneByteEach.test(text) ? text.length : text.length * 3;
};

export const failed = (error: unknown): EntryOutcome => ({ state: 'failed', error });

/** What JSON can't hold fails by itself. What is no object is for the service to refuse, with its sentence. */
export const entryOf = (rank: number, entry: unknown, settle: Entry['settle']): Entry | undefined => {
  try {
    const text = jsonOf(entry, 'entry');
    return { rank, text, bytes: bytesOf(text), person: personIn(Object(entry)), settle };
  } catch (error) {
    settle(failed(error));
    return undefined;
  }
};

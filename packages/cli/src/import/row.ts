/** What a file holds, on its way to requests: rows, each with the entries it stands for. */
import { type EntryKind, entryKinds } from '@roster/profile';
import type { JsonObject } from '../json.ts';

export const arrays = entryKinds;
export type ArrayName = EntryKind;

export interface Entry {
  array: ArrayName;
  value: JsonObject;
}

/**
 * A further name of somebody, which /users/track cannot give: an alias of whoever has `external_id` or `user_alias`, or the external ids
 * that somebody had before `external_id`, the oldest first.
 */
export interface FurtherName {
  kind: 'alias' | 'former';
  value: JsonObject;
}

/** Why a row, or an entry of it, was not taken: by us when it could not be read, else by the server. */
export interface Fault {
  code: string;
  sentence: string;
}

/** What a row was found to say. */
export interface Reading {
  entries: Entry[];
  names?: FurtherName[];
  /** Fields that cannot be sent, by name; see exported-user.ts. */
  leftOut: string[];
  fault?: Fault;
}

export interface Row extends Reading {
  line: number;
  /** Where the next one begins. */
  nextLine: number;
  start: number;
  end: number;
  /** A row that could not be read, as it was: for the list of refused rows. */
  text?: string;
}

export const reading = (entries: Entry[], leftOut: string[] = [], names: FurtherName[] = []): Reading => ({
  entries,
  leftOut,
  ...(names.length > 0 && { names }),
});

export const unreadable = (code: string, sentence: string): Reading => ({
  entries: [],
  leftOut: [],
  fault: { code, sentence },
});

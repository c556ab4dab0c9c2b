/** The rows of a file, each with its entries. */
import { type EntryKind, entryKinds } from '@roster/profile';
import type { JsonObject } from '../json.ts';

export const arrays = entryKinds;
export type ArrayName = EntryKind;

export interface Entry {
  array: ArrayName;
  value: JsonObject;
  /** Of an exported user: what the workspace does not know of it stays behind, and the person comes in. */
  isExported?: true;
}

/** A member of an exported user that stays behind. */
export interface LeftOut {
  name: string;
  reason: string;
}

/** The same with its row and its person, for the list. */
export interface LeftOutOf extends LeftOut {
  line: number;
  person: JsonObject;
}

export const identifiers = ['external_id', 'user_alias', 'service_id', 'email', 'phone'] as const;

/** `entry`: one of the person's entries, or a further name. */
export const leftOutOf = (line: number, entry: JsonObject, { name, reason }: LeftOut): LeftOutOf => {
  const given = identifiers.flatMap((one) => (entry[one] == null ? [] : [[one, entry[one]] as const]));
  return { line, person: Object.fromEntries(given), name, reason };
};

/**
 * A further name of a person, which /users/track cannot give: an alias for the person with `external_id` or `user_alias`, or the former
 * external ids of the person with `external_id`, the oldest first.
 */
export interface FurtherName {
  kind: 'alias' | 'former';
  value: JsonObject;
}

/** Why a row, or an entry of it, was refused: by the import when it could not be read, else by the server. */
export interface Fault {
  code: string;
  sentence: string;
}

/** The content of a row. */
export interface Reading {
  entries: Entry[];
  names?: FurtherName[];
  /** What was read of a row with a fault, as a line that can be corrected and imported. */
  given?: JsonObject;
  /** See exported-user.ts and fitting.ts. */
  leftOut: LeftOut[];
  fault?: Fault;
  /** It can be read and is sent, and the person is told to look at it. */
  doubt?: string;
}

export interface Row extends Reading {
  line: number;
  /** Where the next one begins. */
  nextLine: number;
  start: number;
  end: number;
  /** As it stands in the file: of CSV, and of a row with a fault. */
  raw?: Buffer;
  /** The next bytes of the row before, which is too long to hold. */
  isRest?: boolean;
}

export const reading = (entries: Entry[], leftOut: LeftOut[] = [], names: FurtherName[] = []): Reading => ({
  entries,
  leftOut,
  ...(names.length > 0 && { names }),
});

export const unreadable = (code: string, sentence: string): Reading => ({
  entries: [],
  leftOut: [],
  fault: { code, sentence },
});

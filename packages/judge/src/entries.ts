/** The second step of judging: each entry by itself. On the good path nothing is copied and nothing is thrown. */

import {
  asDoubles,
  deepestEntry,
  type EntryError,
  type EntryErrorCode,
  type EntryFault,
  type EntryKind,
  entryErrors,
  isDeeperThan,
  isEntryErrorCode,
  isJsonObject,
  type JsonObject,
  type JudgeSettings,
  placeBeyond64,
} from '@roster/contract';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { firstOf } from './first-of.ts';
import type { WithoutNulls } from './nulls.ts';
import { errorIn, sentenceOf } from './sentences.ts';

export interface JudgedArray {
  /** The array that was sent, or a copy in which refused entries are their codes and changed ones their canonical form. */
  kept: unknown[];
  accepted: number;
}

/** How the entries of one array are judged. */
export interface Judging {
  kind: EntryKind;
  isShaped: ValidateFunction;
  settings: JudgeSettings;
  withoutNulls: WithoutNulls | undefined;
  /** There are numbers that a double does not hold, in some of the entries. */
  exact: boolean;
  /** The body is nested deeper than an entry may be: each entry has to be looked at. */
  deep: boolean;
}

/** Appends to `errors` what is refused. */
export function judgeArray(judging: Judging, sent: readonly unknown[], errors: EntryError[]): JudgedArray {
  const { kind } = judging;
  let kept = sent as unknown[];
  let accepted = 0;
  for (let index = 0; index < sent.length; index += 1) {
    const given = sent[index];
    const { entry, cause } = judgeEntry(judging, given);
    if (cause) errors.push(errorOf(cause, kind.array, index));
    else accepted += 1;
    if (!cause && entry === given) continue;
    if (kept === sent) kept = sent.slice();
    kept[index] = cause ? codeOf(cause) : entry;
  }
  return { kept, accepted };
}

interface Judged {
  entry: unknown;
  cause: Cause | undefined;
}

/** An entry stands two levels deep: in an array, in the body. */
const levelsOfEntry = deepestEntry - 2;

const tooDeep: EntryFault = {
  code: 'ENTRY_TOO_DEEP',
  at: '',
  text: `must not be nested deeper than ${deepestEntry} levels`,
};

/** What is said of a number that is too long. */
export const within64Bits = 'must be a whole number of at most 64 bits, or have a decimal point';

function numberFault(given: unknown): EntryFault | undefined {
  const at = placeBeyond64(given);
  return at === undefined ? undefined : { code: 'NUMBER_OUT_OF_RANGE', at, text: within64Bits };
}

/** The rules and the schema of an entry judge its canonical form; of a plain value the schema judges what was sent, the rules what becomes of it. */
function judgeEntry(judging: Judging, sent: unknown): Judged {
  const { kind, isShaped, settings, deep, withoutNulls, exact } = judging;
  if (deep && isDeeperThan(sent, levelsOfEntry)) return { entry: sent, cause: tooDeep };
  const given = withoutNulls ? withoutNulls(sent) : sent;
  const early = (exact ? numberFault(given) : undefined) ?? earlyFault(kind, given, settings);
  if (early) return { entry: given, cause: early };
  const tidied = kind.lift ? given : kind.tidy(given as JsonObject, settings);
  // The words of a schema are about doubles.
  const shape = errorIn(isShaped, exact ? asDoubles(tidied) : tidied);
  if (shape) return { entry: tidied, cause: { shape } };
  const entry = kind.lift ? kind.lift(tidied) : (tidied as JsonObject);
  return { entry, cause: firstOf(kind.rules, entry, settings) };
}

const notAnObject: EntryFault = { code: 'ENTRY_NOT_AN_OBJECT', at: '', text: 'must be an object' };

function earlyFault({ lift, before }: EntryKind, given: unknown, settings: JudgeSettings) {
  if (lift) return undefined;
  return isJsonObject(given) ? firstOf(before, given, settings) : notAnObject;
}

type Cause = EntryFault | { shape: ErrorObject };

function codeOf(cause: Cause): EntryErrorCode {
  return 'shape' in cause ? shapeCode(cause.shape) : cause.code;
}

/** A schema may name the code for each of its keywords in `x-errors`. */
function shapeCode({ keyword, parentSchema }: ErrorObject): EntryErrorCode {
  const named: unknown = parentSchema?.['x-errors']?.[keyword];
  if (typeof named === 'string' && isEntryErrorCode(named)) return named;
  return keyword === 'required' ? 'FIELD_REQUIRED' : 'FIELD_INVALID';
}

function errorOf(cause: Cause, array: string, index: number): EntryError {
  const code = codeOf(cause);
  return { type: sentence(cause, code, `${array}[${index}]`), code, input_array: array, index };
}

/** The catalogue's sentence where it is complete, else one that names the place. */
function sentence(cause: Cause, code: EntryErrorCode, place: string): string {
  if (!('shape' in cause))
    return cause.text === undefined ? entryErrors[code].message : `${place}${cause.at ?? ''} ${cause.text}`;
  const fixed = entryErrors[code].message;
  return fixed.includes('<') ? sentenceOf(cause.shape, place) : fixed;
}

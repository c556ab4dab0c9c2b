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
import { sentenceOf } from './sentences.ts';

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

/** As much of a validator as judging takes. */
interface Shaped {
  (value: unknown): boolean;
  errors?: ValidateFunction['errors'];
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

function judgeEntry(judging: Judging, sent: unknown): Judged {
  const { kind, settings, deep, withoutNulls, exact } = judging;
  if (deep && isDeeperThan(sent, levelsOfEntry)) return { entry: sent, cause: tooDeep };
  const given = withoutNulls ? withoutNulls(sent) : sent;
  const cause = exact ? numberFault(given) : undefined;
  if (cause) return { entry: given, cause };
  const isShaped = exact ? shapedAsDoubles(judging.isShaped) : judging.isShaped;
  if (kind.lift) return judgePlain(kind, kind.lift, isShaped, given, settings);
  const early = isJsonObject(given) ? firstOf(kind.before, given, settings) : notAnObject;
  const entry = early ? given : kind.tidy(given as JsonObject);
  return { entry, cause: early ?? lateFault(kind, isShaped, entry as JsonObject, settings) };
}

/** The words of a schema are about doubles. */
function shapedAsDoubles(isShaped: ValidateFunction): Shaped {
  const shaped: Shaped = (value) => {
    const isGood = isShaped(asDoubles(value));
    shaped.errors = isShaped.errors;
    return isGood;
  };
  return shaped;
}

/** The schema judges what was sent, the rules what becomes of it. */
function judgePlain(
  { rules }: EntryKind,
  lift: (plain: unknown) => JsonObject,
  isShaped: Shaped,
  given: unknown,
  settings: JudgeSettings,
): Judged {
  const shape = isShaped(given) ? undefined : isShaped.errors?.at(-1);
  if (shape) return { entry: given, cause: { shape } };
  const entry = lift(given);
  return { entry, cause: firstOf(rules, entry, settings) };
}

const notAnObject: EntryFault = { code: 'ENTRY_NOT_AN_OBJECT', at: '', text: 'must be an object' };

type Cause = EntryFault | { shape: ErrorObject };

function lateFault(
  kind: EntryKind,
  isShaped: Shaped,
  entry: JsonObject,
  settings: JudgeSettings,
): Cause | undefined {
  if (isShaped(entry)) return firstOf(kind.rules, entry, settings);
  const shape = isShaped.errors?.at(-1);
  return shape ? { shape } : { code: 'FIELD_INVALID' };
}

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

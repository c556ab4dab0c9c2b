/** The words in which the tables are written: one answer, and all entries that get it. */
import { type EntryErrorCode, isJsonObject } from '@roster/contract';
import type { EntryList, Refused } from './refused.ts';

const element = (one: unknown, beside: object): unknown => (isJsonObject(one) ? { ...beside, ...one } : one);

/** `put('apps[0].name', 5, {})` is `{ apps: [{ name: 5 }] }`; an array has one element, and an object in it the members beside. */
const put = (place: string, value: unknown, beside: object): object =>
  place
    .split(/[.[]/)
    .reduceRight<unknown>(
      (held, step) => (step.endsWith(']') ? [element(held, beside)] : { [step]: held }),
      value,
    ) as object;

type Places = Readonly<Record<string, readonly unknown[]>>;

/** Of entries that have `base`, and what is wrong. `beside`: what the objects in their lists have. */
export const entriesOf = (list: EntryList, base: object, beside: object = {}) => {
  /** What is said of a place: `at('.home', 'must ...')`. */
  const at = (place: string, what: string) => `${list}[0]${place} ${what}`;

  const refused = (code: EntryErrorCode, sentence: string, ...entries: readonly object[]): Refused[] =>
    entries.map((members) => ({ code, sentence, entry: { ...base, ...members } }));

  /** For each place the values that are wrong there, with a sentence that names the place, or with the same one. */
  const placed = (code: EntryErrorCode, places: Places, sentence: (place: string) => string): Refused[] =>
    Object.entries(places).flatMap(([place, values]) =>
      refused(code, sentence(place), ...values.map((value) => put(place, value, beside))),
    );
  const wrong = (code: EntryErrorCode, what: string, places: Places) =>
    placed(code, places, (place) => at(`.${place}`, what));
  const fixed = (code: EntryErrorCode, sentence: string, places: Places) =>
    placed(code, places, () => sentence);

  /** Each of the values in each of the places. */
  const wrongEach = (
    code: EntryErrorCode,
    what: string,
    places: readonly string[],
    values: readonly unknown[],
  ) => wrong(code, what, Object.fromEntries(places.map((place) => [place, values])));

  const noObject = (...entries: readonly unknown[]): Refused[] =>
    entries.map((entry) => ({ code: 'ENTRY_NOT_AN_OBJECT', sentence: at('', 'must be an object'), entry }));

  return { at, refused, wrong, fixed, wrongEach, noObject };
};

export const said = {
  ambiguous: "You must specify only one of 'external_id', 'user_alias' or 'service_id'",
  nobody: "'external_id', 'service_id', 'user_alias', 'email' or 'phone' is required",
  blocked: 'provided external_id is blacklisted and disallowed',
  idTooLong: "'external_id' must not be longer than 987 bytes",
  aliasTooLong: "'alias_name' and 'alias_label' must not be longer than 236 bytes",
  email: "The value provided for the 'email' field is not a valid email.",
  phone: "The value provided for the 'phone' field is not a valid phone number.",
  aTime: 'must be a time such as 2026-01-31T12:00:00Z',
  clean: 'must be well-formed text without NUL characters',
  wellFormed: 'must be well-formed text',
  text: 'must be a string',
  textOrNull: 'must be a string or null',
  flag: 'must be a boolean',
  flagOrNull: 'must be a boolean or null',
  anObject: 'must be an object',
  notEmpty: 'must not be empty',
  short: 'must not be longer than 255 characters',
  finite: 'must be a finite number',
  inRange: 'must be a whole number of at most 64 bits, or have a decimal point',
  flatter: 'must not be nested deeper than 50 levels',
} as const;

export const alias = { alias_name: 'a', alias_label: 'l' };

/** Fifty levels in an entry are 52 in the body. */
export const deep: unknown = JSON.parse(`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`);

export const many = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, value]));

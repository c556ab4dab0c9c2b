/** What the value of a filter may be, and what it is when people are compared with it. */
import { mostDays, mostText } from './limits.ts';
import { createPattern, type Pattern, tooLarge } from './patterns.ts';

export type Scalar = string | number | bigint | boolean;

type ReadValue<Value> = { value: Value } | { fault: string };

/** Reads the value of a filter. */
export type Takes<Value = unknown> = (value: unknown) => ReadValue<Value>;

/** As it is stored: a time among attributes is a text of this form. */
const storedTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const sentTime = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
const zone = /(?:Z|[+-]\d\d:?\d\d)$/;

/** Milliseconds; undefined for an attribute that is no time. */
export const timeIn = (stored: unknown): number | undefined =>
  typeof stored === 'string' && storedTime.test(stored) ? Date.parse(stored) : undefined;

/** A time without a zone is UTC, as it is in events. */
const sentTimeIn = (value: unknown): number | undefined => {
  if (typeof value !== 'string' || !sentTime.test(value)) return undefined;
  const text = value.replace(' ', 'T');
  const ms = Date.parse(text.length > 10 && !zone.test(text) ? `${text}Z` : text);
  return Number.isNaN(ms) ? undefined : ms;
};

const text = (value: unknown): ReadValue<string> =>
  typeof value === 'string' && value.length <= mostText
    ? { value }
    : { fault: `must be a text of at most ${mostText} characters` };

const isWithin64Bits = (whole: bigint): boolean => BigInt.asIntN(64, whole) === whole;

/** Whole numbers that a double does not hold are `bigint`, as they are among attributes. */
const number = (value: unknown): ReadValue<number | bigint> => {
  if (typeof value === 'bigint')
    return isWithin64Bits(value) ? { value } : { fault: 'must be a whole number within 64 bits' };
  return typeof value === 'number' && Number.isFinite(value) ? { value } : { fault: 'must be a number' };
};

const flag = (value: unknown): ReadValue<boolean> =>
  typeof value === 'boolean' ? { value } : { fault: 'must be true or false' };

const either =
  <Value>(...kinds: Takes<Value>[]): Takes<Value> =>
  (value) => {
    const faults: string[] = [];
    for (const kind of kinds) {
      const read = kind(value);
      if ('value' in read) return read;
      faults.push(read.fault.replace('must be ', ''));
    }
    return { fault: `must be ${faults.join(' or ')}` };
  };

const time = (value: unknown): ReadValue<number> => {
  const ms = sentTimeIn(value);
  return ms === undefined
    ? { fault: 'must be a time in ISO 8601, such as "2026-01-31T12:00:00Z"' }
    : { value: ms };
};

const days = (value: unknown): ReadValue<number> =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= mostDays
    ? { value: value as number }
    : { fault: `must be a whole number of days, at most ${mostDays}` };

/** RE2: every pattern takes time in proportion to the text, which the engine of JavaScript does not promise. */
const pattern = (value: unknown): ReadValue<Pattern> =>
  typeof value === 'string' && value.length <= mostText
    ? { value: createPattern(value) }
    : { fault: tooLarge };

export const values = {
  number,
  scalar: either<Scalar>(text, number, flag),
  time,
  days,
  pattern,
};

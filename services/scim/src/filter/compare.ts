/** The operators of filters, by the type of the attribute: RFC 7644 table 3. */
import type { Attribute, ScimValue } from '../attributes/attribute.ts';
import { badFilter } from '../refusals.ts';

type Operator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'lt' | 'ge' | 'le';
type WantedValue = string | number | boolean | null;

/** Whether any of the values found at the place is what is wanted. */
type Holds = (values: readonly ScimValue[]) => boolean;

/** Two texts are the same in any letter case unless the attribute says otherwise. */
export const folded = (text: string, caseExact: boolean | undefined): string =>
  caseExact ? text.normalize('NFC') : text.normalize('NFC').toLowerCase();

const ordering = {
  eq: <Value>(actual: Value, wanted: Value) => actual === wanted,
  ne: <Value>(actual: Value, wanted: Value) => actual !== wanted,
  gt: <Value extends string | number>(actual: Value, wanted: Value) => actual > wanted,
  lt: <Value extends string | number>(actual: Value, wanted: Value) => actual < wanted,
  ge: <Value extends string | number>(actual: Value, wanted: Value) => actual >= wanted,
  le: <Value extends string | number>(actual: Value, wanted: Value) => actual <= wanted,
};

const ofTexts: Record<Operator, (actual: string, wanted: string) => boolean> = {
  ...ordering,
  co: (actual, wanted) => actual.includes(wanted),
  sw: (actual, wanted) => actual.startsWith(wanted),
  ew: (actual, wanted) => actual.endsWith(wanted),
};

const ofNumbers: Partial<Record<Operator, (actual: number, wanted: number) => boolean>> = ordering;

/** Nothing there is "not equal" to anything. */
const someOf =
  (operator: Operator, test: (value: ScimValue) => boolean): Holds =>
  (values) =>
    operator === 'ne' ? values.every(test) : values.some(test);

const absence = (operator: Operator): Holds => {
  if (operator === 'eq') return (values) => values.length === 0;
  if (operator === 'ne') return (values) => values.length > 0;
  throw badFilter();
};

const booleans: Record<string, boolean> = { true: true, false: false };

const truths = (operator: Operator, wanted: WantedValue): Holds => {
  const value = typeof wanted === 'boolean' ? wanted : booleans[String(wanted).toLowerCase()];
  if (value === undefined || (operator !== 'eq' && operator !== 'ne')) throw badFilter();
  return someOf(operator, (actual) => (actual === value) === (operator === 'eq'));
};

const times = (operator: Operator, wanted: WantedValue): Holds => {
  const time = typeof wanted === 'string' ? Date.parse(wanted) : Number.NaN;
  const test = ofNumbers[operator];
  if (Number.isNaN(time) || !test) throw badFilter();
  return someOf(operator, (actual) => test(Date.parse(String(actual)), time));
};

const texts = (operator: Operator, wanted: WantedValue, caseExact: boolean | undefined): Holds => {
  if (typeof wanted !== 'string') throw badFilter();
  const text = folded(wanted, caseExact);
  return someOf(operator, (actual) => ofTexts[operator](folded(String(actual), caseExact), text));
};

export const comparison = (attribute: Attribute, operator: Operator, wanted: WantedValue): Holds => {
  if (wanted === null) return absence(operator);
  if (attribute.type === 'complex') throw badFilter();
  if (attribute.type === 'boolean') return truths(operator, wanted);
  if (attribute.type === 'dateTime') return times(operator, wanted);
  return texts(operator, wanted, attribute.caseExact);
};

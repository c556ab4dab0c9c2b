/** How attributes are compared: one row for each comparison, with its test and its condition on the stored attribute. */
import type { Pattern } from './patterns.ts';
import { type Scalar, type Takes, timeIn, values } from './values.ts';

/** A condition on the stored value in MongoDB. `isExact`: it finds the same people as the test; else it finds these and others. */
export interface Condition {
  where: object;
  isExact: boolean;
}

interface Comparison<Wanted> {
  /** Missing: there is no value. */
  takes?: Takes<Wanted>;
  /** Of an attribute that is there. */
  holds(stored: unknown, wanted: Wanted, now: number): boolean;
  condition(wanted: Wanted, now: number): Condition;
}

const dayMs = 24 * 60 * 60 * 1000;

const exact = (where: object): Condition => ({ where, isExact: true });
const atMost = (where: object): Condition => ({ where, isExact: false });

const isNumber = (stored: unknown): stored is number | bigint =>
  typeof stored === 'number' || typeof stored === 'bigint';

/** MongoDB compares an array by its elements; here an array is only what `includes_value` asks for. */
const alone = (where: object): Condition => exact({ ...where, $not: { $type: 'array' } });

/** `==`: a large whole number is read as a `bigint`. */
const isSame = (stored: unknown, wanted: unknown): boolean =>
  // biome-ignore lint/suspicious/noDoubleEquals: only between two numbers.
  isNumber(stored) && isNumber(wanted) ? stored == wanted : stored === wanted;

const equals: Comparison<Scalar> = {
  takes: values.scalar,
  holds: isSame,
  condition: (wanted) => alone({ $eq: wanted }),
};

const ofSize = (
  operator: '$gt' | '$gte' | '$lt' | '$lte',
  test: (stored: number | bigint, wanted: number | bigint) => boolean,
): Comparison<number | bigint> => ({
  takes: values.number,
  holds: (stored, wanted) => isNumber(stored) && test(stored, wanted),
  condition: (wanted) => alone({ [operator]: wanted }),
});

/** Times are stored as texts of one form, whose order is that of time; other texts may lie between them. */
const between = (from: number, to: number): Condition => {
  const text = (ms: number): string => new Date(Math.min(Math.max(ms, firstMs), lastMs)).toISOString();
  return atMost({ $gte: text(from), $lte: text(to) });
};
const firstMs = Date.parse('0000-01-01T00:00:00.000Z');
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

/** The attribute is a time of this range, whose ends belong to it. */
const within = (
  takes: Takes<number>,
  range: (wanted: number, now: number) => readonly [from: number, to: number],
): Comparison<number> => ({
  takes,
  holds(stored, wanted, now) {
    const ms = timeIn(stored);
    const [from, to] = range(wanted, now);
    return ms !== undefined && ms >= from && ms <= to;
  },
  condition: (wanted, now) => between(...range(wanted, now)),
});

const [ever, past] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
const days = values.days;

const positive = {
  equals,
  exists: {
    holds: () => true,
    condition: () => exact({ $ne: null }),
  } satisfies Comparison<undefined>,
  matches_regex: {
    takes: values.pattern,
    holds: (stored, pattern) => typeof stored === 'string' && pattern.compiled().matcher(stored).find(),
    condition: () => atMost({ $type: 'string' }),
  } satisfies Comparison<Pattern>,
  includes_value: {
    takes: values.scalar,
    holds: (stored, wanted) => Array.isArray(stored) && stored.some((one) => isSame(one, wanted)),
    condition: (wanted) => exact({ $elemMatch: { $eq: wanted } }),
  } satisfies Comparison<Scalar>,
  greater_than: ofSize('$gt', (stored, wanted) => stored > wanted),
  greater_than_or_equal_to: ofSize('$gte', (stored, wanted) => stored >= wanted),
  less_than: ofSize('$lt', (stored, wanted) => stored < wanted),
  less_than_or_equal_to: ofSize('$lte', (stored, wanted) => stored <= wanted),
  less_than_x_days_ago: within(days, (n, now) => [now - n * dayMs + 1, now]),
  greater_than_x_days_ago: within(days, (n, now) => [past, now - n * dayMs - 1]),
  less_than_x_days_in_the_future: within(days, (n, now) => [now, now + n * dayMs - 1]),
  greater_than_x_days_in_the_future: within(days, (n, now) => [now + n * dayMs + 1, ever]),
  after: within(values.time, (time) => [time + 1, ever]),
  before: within(values.time, (time) => [past, time - 1]),
};

type Positive = keyof typeof positive;

/** The opposite of another one: true of everybody else, also of people without the attribute. */
const opposites = {
  not_equal: 'equals',
  does_not_equal: 'equals',
  does_not_exist: 'exists',
  does_not_match_regex: 'matches_regex',
  does_not_include_value: 'includes_value',
} as const satisfies Record<string, Positive>;

export type ComparisonName = Positive | keyof typeof opposites;

export const comparisonNames = [...Object.keys(positive), ...Object.keys(opposites)] as ComparisonName[];

const isOpposite = (name: ComparisonName): name is keyof typeof opposites => Object.hasOwn(opposites, name);

/** The row, and whether the comparison is its opposite. */
export const comparisonOf = (name: ComparisonName): { row: Comparison<unknown>; isOpposite: boolean } => {
  const is = isOpposite(name);
  return { row: positive[is ? opposites[name] : name] as Comparison<unknown>, isOpposite: is };
};

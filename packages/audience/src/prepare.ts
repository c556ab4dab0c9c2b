/** Reads an audience: whole, or with the place and kind of its first mistake. */
import type { Candidate, ConsentState } from './candidate.ts';
import { type ComparisonName, comparisonNames, comparisonOf } from './comparisons.ts';
import { faultAt } from './fault.ts';
import { mostDepth, mostFilters, mostName } from './limits.ts';
import { assertCharacters, assertSteps, type Pattern, type PatternFilter } from './patterns.ts';
import { type Takes, values } from './values.ts';

/** A condition on profiles in MongoDB. `isExact`: it finds the audience; else it finds the audience and others, who have to be tested. */
interface Condition {
  filter: object;
  isExact: boolean;
}

/** What of a profile a test needs. */
export type ProfilePart = 'consents' | 'apps' | `attribute:${string}`;

export interface PreparedFilter {
  test(person: Candidate, now: number): boolean;
  find(now: number): Condition;
  parts: ReadonlySet<ProfilePart>;
  /** How many, AND and OR left out. */
  filters: number;
  patterns: readonly PatternFilter[];
}

type FilterMembers = { readonly [name: string]: unknown };

const everybody: Condition = { filter: {}, isExact: false };

const membersOf = (value: unknown, path: string): FilterMembers => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as FilterMembers;
  throw faultAt(path, 'must be an object');
};

const assertOnly = (members: FilterMembers, names: readonly string[], path: string): void => {
  const other = Object.keys(members).find((name) => !names.includes(name));
  if (other !== undefined)
    throw faultAt(`${path}.${other}`, `is not known here; known are ${names.join(', ')}`);
};

const oneOf = <Name extends string>(value: unknown, names: readonly Name[], path: string): Name => {
  const name = names.find((one) => one === value);
  if (name === undefined) throw faultAt(path, `must be one of ${names.join(', ')}`);
  return name;
};

const readValue = <Value>(takes: Takes<Value>, { value }: FilterMembers, path: string): Value => {
  const read = takes(value);
  if ('fault' in read) throw faultAt(`${path}.value`, read.fault);
  return read.value;
};

/** Of the values of filters a pattern alone is an object. */
const isPattern = (wanted: unknown): wanted is Pattern => typeof wanted === 'object';

/** One filter that asks for no pattern. */
const one = { filters: 1, patterns: [] } as const;

const attribute = (value: unknown, path: string): PreparedFilter => {
  const members = membersOf(value, path);
  assertOnly(members, ['custom_attribute_name', 'comparison', 'value'], path);
  const { custom_attribute_name: name } = members;
  if (typeof name !== 'string' || name === '' || name.length > mostName)
    throw faultAt(`${path}.custom_attribute_name`, `must be a text of 1 to ${mostName} characters`);
  const comparison = oneOf<ComparisonName>(members.comparison, comparisonNames, `${path}.comparison`);
  const { row, isOpposite } = comparisonOf(comparison);
  const wanted = row.takes && readValue(row.takes, members, path);
  return {
    filters: 1,
    patterns: isPattern(wanted) ? [{ path: `${path}.value`, attribute: name, pattern: wanted }] : [],
    parts: new Set([`attribute:${name}` as const]),
    test(person, now) {
      const stored = person.attributes.get(name);
      const holds = stored !== undefined && stored !== null && row.holds(stored, wanted, now);
      return holds !== isOpposite;
    },
    find(now) {
      const { where, isExact } = row.condition(wanted, now);
      const has = { $elemMatch: { k: name, v: where } };
      if (!isOpposite) return { filter: { custom: has }, isExact };
      return isExact ? { filter: { custom: { $not: has } }, isExact } : everybody;
    },
  };
};

const states: readonly ConsentState[] = ['opted_in', 'subscribed', 'unsubscribed'];

/** Without a statement people count as subscribed. */
const usualState: ConsentState = 'subscribed';

const consent =
  (channel: 'email' | 'push') =>
  (value: unknown, path: string): PreparedFilter => {
    const members = membersOf(value, path);
    assertOnly(members, ['comparison', 'value'], path);
    const wantsSame = oneOf(members.comparison, ['is', 'is_not'], `${path}.comparison`) === 'is';
    const wanted = oneOf(members.value, states, `${path}.value`);
    const saysIt = channel === 'push' && wantsSame && wanted !== usualState;
    return {
      ...one,
      parts: new Set(['consents']),
      test: (person) => ((person[channel] ?? usualState) === wanted) === wantsSame,
      // What was said of an email address is stored with the address.
      find: () => (saysIt ? { filter: { 'consents.k': channel }, isExact: false } : everybody),
    };
  };

const lastUsed = (value: unknown, path: string): PreparedFilter => {
  const members = membersOf(value, path);
  assertOnly(members, ['comparison', 'value'], path);
  const isAfter = oneOf(members.comparison, ['after', 'before'], `${path}.comparison`) === 'after';
  const time = readValue(values.time, members, path);
  return {
    ...one,
    parts: new Set(['apps']),
    test: ({ lastUsed: last }) => last !== undefined && (isAfter ? last > time : last < time),
    find: () => ({ filter: { 'lists.apps.items.0': { $exists: true } }, isExact: false }),
  };
};

type FilterReader = (value: unknown, path: string, room: FilterRoom) => PreparedFilter;

/** What is left of the bounds. */
interface FilterRoom {
  filters: number;
  depth: number;
}

const listed = (value: unknown, path: string, room: FilterRoom): PreparedFilter[] => {
  if (!Array.isArray(value) || value.length === 0)
    throw faultAt(path, 'must be a list of at least one filter');
  if (value.length > room.filters) throw faultAt(path, `has too many filters: ${mostFilters} at most`);
  return value.map((one, index) => filter(one, `${path}[${index}]`, room));
};

const together = (operator: '$and' | '$or', all: readonly PreparedFilter[]): PreparedFilter => ({
  filters: all.reduce((sum, { filters }) => sum + filters, 0),
  patterns: all.flatMap(({ patterns }) => patterns),
  parts: new Set(all.flatMap(({ parts }) => [...parts])),
  test: (person, now) =>
    operator === '$and'
      ? all.every((one) => one.test(person, now))
      : all.some((one) => one.test(person, now)),
  find(now) {
    const found = all.map(({ find }) => find(now));
    return {
      filter: { [operator]: found.map((one) => one.filter) },
      isExact: found.every(({ isExact }) => isExact),
    };
  },
});

const readers: Readonly<Record<string, FilterReader>> = {
  AND: (...of) => together('$and', listed(...of)),
  OR: (...of) => together('$or', listed(...of)),
  custom_attribute: attribute,
  email_subscription_status: consent('email'),
  push_subscription_status: consent('push'),
  last_used_app: lastUsed,
};

const filter = (value: unknown, path: string, room: FilterRoom): PreparedFilter => {
  const members = membersOf(value, path);
  const names = Object.keys(readers);
  assertOnly(members, names, path);
  const [name, another] = Object.keys(members);
  const read = name === undefined || another !== undefined ? undefined : readers[name];
  if (!read) throw faultAt(path, `must have exactly one of ${names.join(', ')}`);
  room.filters -= 1;
  if (room.filters < 0) throw faultAt(path, `is one filter too many: ${mostFilters} at most`);
  if (room.depth === 0) throw faultAt(path, `is nested too deep: ${mostDepth} levels at most`);
  room.depth -= 1;
  const prepared = read(members[name as string], `${path}.${name}`, room);
  room.depth += 1;
  return prepared;
};

/** Without its patterns compiled. Throws an AudienceFault. */
export const readAudience = (value: unknown, path = 'audience'): PreparedFilter => {
  const prepared = filter(value, path, { filters: mostFilters, depth: mostDepth });
  assertCharacters(prepared.patterns);
  return prepared;
};

/** With its patterns compiled, which may take a quarter of a second. Throws an AudienceFault. */
export const prepareAudience = (value: unknown, path?: string): PreparedFilter => {
  const prepared = readAudience(value, path);
  assertSteps(prepared.patterns);
  return prepared;
};

const anybody: PreparedFilter = {
  filters: 0,
  patterns: [],
  parts: new Set(),
  test: () => true,
  find: () => ({ filter: {}, isExact: true }),
};

/** Who belongs to each of them, which is everybody when there is none. Each has the bounds of one. */
export const readAll = (audiences: readonly unknown[], read = readAudience) =>
  audiences.length === 0
    ? anybody
    : together(
        '$and',
        audiences.map((one) => read(one)),
      );

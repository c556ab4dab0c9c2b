// What is there at the end of a schedule, held to what must be there.
import { type Extra, extras, isRepeated, type Plan } from './acts.ts';
import { cellOf, type Expected, type Row } from './model.ts';
import type { People } from './people.ts';

type Found = Pick<People, 'people' | 'counts'>;

/** Those that were read with the row. In diff mode a row that says again what it said before has not changed. */
const columnsOf = ({ mode }: Plan, { since }: Expected, { n, at }: Row): ('n' | Extra)[] => [
  'n',
  ...extras.filter(
    (column) =>
      (since[column] ?? Number.POSITIVE_INFINITY) < at && (mode === 'incremental' || !isRepeated(n)),
  ),
];

const wrongPeople = (plan: Plan, expected: Expected, { people }: Found): string[] =>
  [...expected.rows].flatMap(([key, row]) => {
    const person = people.get(key);
    if (!person) return [`the row ${key} is lost`];
    return columnsOf(plan, expected, row).flatMap((column) => {
      const [is, must] = [person.attributes.get(column), cellOf(column, row.n)];
      return is === must ? [] : [`${key} has ${column} ${is} instead of ${must}`];
    });
  });

const wrongRemovals = (plan: Plan, expected: Expected, { people }: Found): string[] =>
  [...expected.removed].flatMap(([key, row]) => {
    const [person, { onRemoved }] = [people.get(key), plan];
    if (!person || onRemoved === 'ignore') return [];
    if (onRemoved === 'delete') return [`${key} is still there`];
    return columnsOf(plan, expected, row).flatMap((column) =>
      person.attributes.has(column) ? [`${key} still has ${column}`] : [],
    );
  });

const wrongCounts = (
  { mode, data, isCoarse }: Plan,
  { rows, committed }: Expected,
  { counts }: Found,
): string[] => {
  // By the key, and by a time where there is one. An increment is a member of an attribute, and so sent again.
  const isKnownByKey = (mode === 'diff' || isCoarse) && data !== 'increments';
  const told = [...rows.values()].filter(({ isUncompared }) => !isKnownByKey || !isUncompared);
  const last = new Set(told.map(({ n }) => n));
  const wrong = [...counts].flatMap(([n, times]) => {
    if (!committed.has(n)) return [`the number ${n} was never committed, and is counted`];
    return times > 1 ? [`the number ${n} is counted ${times} times`] : [];
  });
  return [...wrong, ...[...last].flatMap((n) => (counts.has(n) ? [] : [`the number ${n} is lost`]))];
};

export const wrongIn = (plan: Plan, expected: Expected, found: Found): string[] =>
  plan.data === 'attributes'
    ? [...wrongPeople(plan, expected, found), ...wrongRemovals(plan, expected, found)]
    : wrongCounts(plan, expected, found);

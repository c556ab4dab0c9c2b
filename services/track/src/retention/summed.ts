/** Sums up old occurrences: one total for each profile and name. Pure. */
import { sumOf } from '@roster/profile';
import type { RolledUp } from '@roster/store';
import type { SeenRow } from './old-rows.ts';

const one = (of: RolledUp['of'], { ws, profile, time, name, revenue, quantity = 1 }: SeenRow): RolledUp => ({
  ws,
  profile,
  of,
  name,
  first: time,
  last: time,
  count: quantity,
  ...(revenue !== undefined && { revenue: revenue.toString() }),
});

const together = (a: RolledUp, b: RolledUp): RolledUp => {
  const revenues = [a.revenue, b.revenue].filter((revenue) => revenue !== undefined);
  return {
    ...a,
    first: new Date(Math.min(a.first.getTime(), b.first.getTime())),
    last: new Date(Math.max(a.last.getTime(), b.last.getTime())),
    count: a.count + b.count,
    ...(revenues.length > 0 && { revenue: sumOf(revenues) }),
  };
};

/** In one order, so that two transactions that add to the same totals don't wait for each other crosswise. */
export const summed = (of: RolledUp['of'], rows: readonly SeenRow[]): RolledUp[] => {
  const all = new Map<string, RolledUp>();
  for (const row of rows) {
    const key = JSON.stringify([row.profile, row.name]);
    const before = all.get(key);
    all.set(key, before ? together(before, one(of, row)) : one(of, row));
  }
  return [...all].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, rolledUp]) => rolledUp);
};

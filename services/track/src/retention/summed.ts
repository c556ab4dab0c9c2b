/** Sums up old occurrences: one total for each profile and name. Pure. */
import { sumOf } from '@roster/profile';
import { type EventRow, joinSummaries, type PurchaseRow, type RolledUp } from '@roster/store';

/** A purchase counts as often as its quantity. */
const countedIn = (row: EventRow | PurchaseRow) => {
  if ('name' in row) return { name: row.name, count: 1 };
  const { product_id: name, quantity: count, revenue } = row;
  return { name, count, ...(revenue !== undefined && { revenue: revenue.toString() }) };
};

const one = (of: RolledUp['of'], row: EventRow | PurchaseRow): RolledUp => {
  const { ws, profile, time } = row;
  return { ws, profile, of, first: time, last: time, ...countedIn(row) };
};

const together = (a: RolledUp, b: RolledUp): RolledUp => {
  const revenues = [a.revenue, b.revenue].filter((revenue) => revenue !== undefined);
  return { ...joinSummaries(a, b), ...(revenues.length > 0 && { revenue: sumOf(revenues) }) };
};

/** In one order, so that two transactions that add to the same totals don't wait for each other crosswise. */
export const summed = (of: RolledUp['of'], rows: readonly (EventRow | PurchaseRow)[]): RolledUp[] => {
  const all = new Map<string, RolledUp>();
  for (const row of rows) {
    const next = one(of, row);
    const key = JSON.stringify([next.profile, next.name]);
    const before = all.get(key);
    all.set(key, before ? together(before, next) : next);
  }
  return [...all].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, rolledUp]) => rolledUp);
};

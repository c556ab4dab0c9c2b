/** Where one batch ends and the next begins. Pure. */
import { stringifyExact } from '@roster/contract';
import { crosses } from './crossing-contacts.ts';
import type { Loaded } from './loaded.ts';

export interface BatchLimits {
  entries: number;
  bytes?: number;
  rows?: number;
}

const personIn = ({ items, row: { names = [] } }: Loaded): string | undefined => {
  const first = items[0] ?? names[0];
  if (!first) return undefined;
  const { external_id, user_alias, service_id, email, phone } = first.value;
  return stringifyExact(external_id ?? user_alias ?? service_id ?? email ?? phone ?? null);
};

const isOrdered = ({ items, row: { names = [] } }: Loaded): boolean =>
  names.length > 0 || items.some(({ array }) => array === 'attributes');

/**
 * The number of rows of a full batch that are sent. Two batches about one person cannot be under way at once (people-order.ts), so the
 * last person's rows stay together with the next ones, if that is the same person.
 */
export const cutBefore = (rows: readonly Loaded[], next: Loaded): number => {
  const person = personIn(next);
  let at = rows.length;
  for (let last = rows[at - 1]; last && personIn(last) === person; last = rows[at - 1]) at--;
  return at > 0 && [...rows.slice(at), next].some(isOrdered) ? at : rows.length;
};

export const isTooMuch = (rows: readonly Loaded[], next: Loaded, limits: Required<BatchLimits>): boolean => {
  const total = (size: (row: Loaded) => number) => rows.reduce((sum, row) => sum + size(row), size(next));
  return (
    crosses(rows, next) ||
    total(({ items }) => items.length) > limits.entries ||
    total(({ row: { names = [] } }) => names.length) > limits.entries ||
    total(({ bytes }) => bytes) > limits.bytes ||
    rows.length >= limits.rows
  );
};

/** Where one batch ends and the next begins. Pure. */
import { stringifyExact } from '@roster/contract';
import type { JsonObject } from '../json.ts';
import type { ArrayName, Row } from './row.ts';

/** An entry as it will be sent. */
export interface Item {
  array: ArrayName;
  value: JsonObject;
  json: string;
  line: number;
  isExported?: true;
}

/** Of a batch. */
const mostBytes = 4 * 1024 * 1024;
const mostRows = 1000;

/** A row with its entries as they will be sent. */
export interface Loaded {
  row: Row;
  items: Item[];
  bytes: number;
}

export const loaded = (row: Row): Loaded => {
  const items = row.entries.map(
    (entry): Item => ({ ...entry, json: stringifyExact(entry.value), line: row.line }),
  );
  const refused = row.fault && row.raw ? row.raw.length : 0;
  return { row, items, bytes: items.reduce((sum, { json }) => sum + Buffer.byteLength(json) + 1, refused) };
};

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

/** The compared form of a contact. */
const known = (address: string): string => address.trim().toLowerCase();

/** The contact that identifies the person of an entry, if it is the only identifier. */
const addressIn = ({ value }: Item): string | undefined => {
  const { external_id, user_alias, service_id, email, phone } = value;
  const address = external_id ?? user_alias ?? service_id ?? null;
  return address === null ? known(String(email ?? phone ?? '')) : undefined;
};

const addressesGiven = (item: Item): string[] =>
  [item.value.email, item.value.phone]
    .filter((address) => typeof address === 'string')
    .map(known)
    .filter((address) => address !== addressIn(item));

/**
 * The next row may give a contact to a person, and an earlier row may name its owner by this contact. In one request all attributes
 * come before all events, and all of it has one time, so the statement about the contact would count for the new owner too.
 */
const crosses = (rows: readonly Loaded[], next: Loaded): boolean => {
  const given = new Set(next.items.filter(({ array }) => array === 'attributes').flatMap(addressesGiven));
  if (given.size === 0) return false;
  return rows.some(({ items }) => items.some((item) => given.has(addressIn(item) ?? '')));
};

export const isTooMuch = (rows: readonly Loaded[], next: Loaded, mostEntries: number): boolean => {
  const total = (size: (row: Loaded) => number) => rows.reduce((sum, row) => sum + size(row), size(next));
  return (
    crosses(rows, next) ||
    total(({ items }) => items.length) > mostEntries ||
    total(({ row: { names = [] } }) => names.length) > mostEntries ||
    total(({ bytes }) => bytes) > mostBytes ||
    rows.length >= mostRows
  );
};

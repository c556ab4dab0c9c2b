/** From a row to the entry of a request, or to why it is none. */
import { type DataKind, isJsonObject, type Json, parseExact, type RowIdentifier } from '@roster/contract';
import type { Cell, Row } from '@roster/sources';
import type { Layout } from './layout.ts';

export type Entry = { [name: string]: Json };

type Members = { entry: Entry; problem?: undefined } | { problem: string; entry?: undefined };

/** `by` is how the row names its person. */
export type Mapped =
  | { entry: Entry; by: RowIdentifier['by']; problem?: undefined }
  | { problem: string; entry?: undefined; by?: undefined };

/** What of an event or purchase is not one of its properties. */
const common = ['time', 'app_id', 'properties', '_update_existing_only'];
const ownMembers = {
  events: new Set(['name', ...common]),
  purchases: new Set(['product_id', 'currency', 'price', 'quantity', ...common]),
};

const isEmpty = (cell: Cell | undefined): boolean => cell === undefined || cell === null || cell === '';

const emptyColumn = (column: string) => ({ problem: `the column ${column} is empty` });

const identityBy = ({ by, column, label_column, label }: RowIdentifier, row: Row): Mapped => {
  const value = row[column];
  if (by !== 'user_alias') return { by, entry: { [by]: String(value) } };
  const labelled = label_column === undefined ? label : row[label_column];
  if (isEmpty(labelled)) return emptyColumn(label_column ?? 'of the label');
  return { by, entry: { user_alias: { alias_name: String(value), alias_label: String(labelled) } } };
};

/** By the first column that is not empty. */
const identityIn = ({ identifiers }: Layout, row: Row): Mapped => {
  const found = identifiers.find(({ column }) => !isEmpty(row[column]));
  if (found) return identityBy(found, row);
  const [{ column: first }, ...others] = identifiers;
  if (others.length === 0) return emptyColumn(first);
  return { problem: `the columns ${identifiers.map(({ column }) => column).join(', ')} are empty` };
};

const parsed = (cell: Cell | undefined): unknown => {
  if (typeof cell !== 'string') return cell;
  try {
    return parseExact(cell);
  } catch {
    return undefined;
  }
};

const payloadIn = (column: string, row: Row): Members => {
  const value = parsed(row[column]);
  return isJsonObject(value)
    ? { entry: value as Entry }
    : { problem: `the column ${column} holds no JSON object` };
};

const numbers = ['price', 'quantity'];

/** Decimal columns come as texts where a double would not hold them. */
const asNumber = (value: Json): Json =>
  typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;

const withNumbers = (entry: Entry): Entry =>
  Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [name, numbers.includes(name) ? asNumber(value) : value]),
  );

/** Any name is a member, also that of the prototype. */
const put = (entry: Entry, name: string, value: Json): void => {
  if (name !== '__proto__') entry[name] = value;
  else Object.defineProperty(entry, name, { value, enumerable: true, configurable: true, writable: true });
};

type Columns = Extract<Layout['members'], { columns: unknown }>['columns'];

const columnsIn = (row: Row, besides: readonly string[]): Columns =>
  Object.keys(row).flatMap((name) => {
    const member = name.toLowerCase();
    return besides.includes(member) ? [] : [[member, name] as const];
  });

/** Cells of other columns are properties. Looped by hand: it is done for each row. */
const occurrenceIn = (columns: Columns, own: ReadonlySet<string>, row: Row): Entry => {
  const [entry, properties]: [Entry, Entry] = [{}, {}];
  for (const [member, column] of columns) {
    const cell = row[column] ?? null;
    if (cell !== null) put(own.has(member) ? entry : properties, member, cell as Json);
  }
  for (const _ in properties) return { ...entry, properties };
  return entry;
};

const membersIn = ({ members }: Layout, data: DataKind, row: Row): Members => {
  if ('payload' in members) return payloadIn(members.payload, row);
  const columns = 'besides' in members ? columnsIn(row, members.besides) : members.columns;
  if (data === 'events' || data === 'purchases')
    return { entry: occurrenceIn(columns, ownMembers[data], row) };
  const entry: Entry = {};
  for (const [member, column] of columns) {
    const cell = row[column];
    // A document or a line of JSON that does not have it says nothing about it.
    if (cell !== undefined) put(entry, member, cell as Json);
  }
  return { entry };
};

/** When it happened: as it says, else when it was changed last. */
const timed = (entry: Entry, row: Row, { updatedAt }: Layout): Entry =>
  updatedAt !== undefined && isEmpty(entry.time)
    ? { ...entry, time: (row[updatedAt] ?? null) as Json }
    : entry;

const shapes: Partial<Record<DataKind, (entry: Entry, row: Row, layout: Layout) => Entry>> = {
  events: timed,
  purchases: (entry, row, layout) => withNumbers(timed(entry, row, layout)),
};

export const entryOf = (layout: Layout, data: DataKind, row: Row): Mapped => {
  const identity = identityIn(layout, row);
  if (!identity.entry || data === 'deletes') return identity;
  const members = membersIn(layout, data, row);
  if (!members.entry) return members;
  const shaped = shapes[data]?.(members.entry, row, layout) ?? members.entry;
  return { by: identity.by, entry: { ...shaped, ...identity.entry } };
};

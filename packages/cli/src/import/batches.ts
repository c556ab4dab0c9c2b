/**
 * Rows into batches, each a full request. A row that fits in one batch is never spread over two, so that every batch
 * begins where a row does, and an import that goes on from there cuts the same batches again.
 */
import { type ArrayName, arrays, type Fault, type FurtherName, type JsonObject, type Row } from './row.ts';

/** An entry as it will be sent. */
export interface Item {
  array: ArrayName;
  value: JsonObject;
  json: string;
  line: number;
}

/** A further name, and where it stands. */
export interface NameItem extends FurtherName {
  line: number;
}

export interface Refusal extends Fault {
  line: number;
  /** What was refused, as a line that can be corrected and imported; or the text that could not be read. */
  row?: JsonObject | string;
}

export interface Batch {
  index: number;
  /** Where it begins; and from where to go on when it, and all before it, are answered. */
  start: number;
  end: number;
  nextLine: number;
  /** 0, or which part of a row that is larger than a batch. */
  part: number;
  rows: number;
  items: Item[];
  names: NameItem[];
  /** Rows that could not be read. */
  refusals: Refusal[];
  leftOut: string[];
}

export interface BatchLimits {
  entries: number;
  bytes?: number;
  rows?: number;
}

/** A row with its entries as they will be sent. */
interface Loaded {
  row: Row;
  items: Item[];
  bytes: number;
}

const loaded = (row: Row): Loaded => {
  const items = row.entries.map(({ array, value }) => ({
    array,
    value,
    json: JSON.stringify(value),
    line: row.line,
  }));
  return { row, items, bytes: items.reduce((sum, { json }) => sum + Buffer.byteLength(json) + 1, 0) };
};

const namesIn = ({ row: { names = [], line } }: Loaded): NameItem[] =>
  names.map((name) => ({ ...name, line }));

const refusalOf = ({ fault, line, text }: Row): Refusal[] =>
  fault ? [{ ...fault, line, ...(text !== undefined && { row: text }) }] : [];

type Draft = Omit<Batch, 'index'>;

const draftOf = (first: Row, all: readonly Loaded[]): Draft => {
  const last = all.at(-1)?.row ?? first;
  return {
    start: first.start,
    end: last.end,
    nextLine: last.nextLine,
    part: 0,
    rows: all.length,
    items: all.flatMap(({ items }) => items),
    names: all.flatMap(namesIn),
    refusals: all.flatMap(({ row }) => refusalOf(row)),
    leftOut: all.flatMap(({ row }) => row.leftOut),
  };
};

/** One row more than a batch holds: batches of its own. The way on stays before it until the last of them. */
const partsOf = (one: Loaded, most: number): Draft[] => {
  const { row, items } = one;
  const whole = draftOf(row, [one]);
  const before = { ...whole, end: row.start, nextLine: row.line, rows: 0, refusals: [], leftOut: [] };
  return Array.from({ length: Math.ceil(items.length / most) }, (_, part) => ({
    ...((part + 1) * most >= items.length ? whole : before),
    part,
    items: items.slice(part * most, (part + 1) * most),
    // Former ids come before everything else about somebody, aliases after it.
    names: whole.names.filter(
      ({ kind }) =>
        (kind === 'former' && part === 0) || (kind === 'alias' && (part + 1) * most >= items.length),
    ),
  }));
};

const personIn = ({ items, row: { names = [] } }: Loaded): string | undefined => {
  const first = items[0] ?? names[0];
  if (!first) return undefined;
  const { external_id, user_alias, service_id, email, phone } = first.value;
  return JSON.stringify(external_id ?? user_alias ?? service_id ?? email ?? phone ?? null);
};

const isOrdered = ({ items, row: { names = [] } }: Loaded): boolean =>
  names.length > 0 || items.some(({ array }) => array === 'attributes');

/**
 * How many rows of a full batch go. Two batches about one person cannot be under way at once (people-order.ts); so the
 * last person's rows stay together with the next ones, if that is the same person.
 */
const cutBefore = (rows: readonly Loaded[], next: Loaded): number => {
  const person = personIn(next);
  let at = rows.length;
  for (let last = rows[at - 1]; last && personIn(last) === person; last = rows[at - 1]) at--;
  return at > 0 && [...rows.slice(at), next].some(isOrdered) ? at : rows.length;
};

const mostBytes = 4 * 1024 * 1024;
const mostRows = 1000;

const sum = (rows: readonly Loaded[], size: (row: Loaded) => number): number =>
  rows.reduce((total, row) => total + size(row), 0);

const entriesIn = ({ items }: Loaded): number => items.length;
const furtherIn = ({ row: { names = [] } }: Loaded): number => names.length;
const bytesIn = ({ bytes }: Loaded): number => bytes;

/** The address by which an entry means somebody, if it says no more. */
const addressIn = ({ value }: Item): string | undefined => {
  const { external_id, user_alias, service_id, email, phone } = value;
  const address = external_id ?? user_alias ?? service_id ?? null;
  return address === null ? String(email ?? phone ?? '').toLowerCase() : undefined;
};

const addressesGiven = (item: Item): string[] =>
  [item.value.email, item.value.phone]
    .filter((address) => typeof address === 'string')
    .map((address) => address.toLowerCase())
    .filter((address) => address !== addressIn(item));

/**
 * In a request all attributes come before all events. So whoever gets an address by the next row would be taken for the one who
 * did something under it in an earlier row.
 */
const crosses = (rows: readonly Loaded[], next: Loaded): boolean => {
  const given = new Set(next.items.filter(({ array }) => array === 'attributes').flatMap(addressesGiven));
  if (given.size === 0) return false;
  return rows.some(({ items }) =>
    items.some((item) => item.array !== 'attributes' && given.has(addressIn(item) ?? '')),
  );
};

const isTooMuch = (rows: readonly Loaded[], next: Loaded, limits: Required<BatchLimits>): boolean =>
  crosses(rows, next) ||
  sum(rows, entriesIn) + entriesIn(next) > limits.entries ||
  sum(rows, furtherIn) + furtherIn(next) > limits.entries ||
  sum(rows, bytesIn) + bytesIn(next) > limits.bytes ||
  rows.length >= limits.rows;

async function* draftsOf(rows: AsyncIterable<Row>, limits: Required<BatchLimits>): AsyncGenerator<Draft> {
  let kept: Loaded[] = [];
  for await (const row of rows) {
    const next = loaded(row);
    const isLarge = next.items.length > limits.entries;
    while (kept[0] && (isLarge || isTooMuch(kept, next, limits))) {
      const cut = isLarge ? kept.length : cutBefore(kept, next);
      yield draftOf(kept[0].row, kept.slice(0, cut));
      kept = kept.slice(cut);
    }
    if (isLarge) yield* partsOf(next, limits.entries);
    else kept.push(next);
  }
  if (kept[0]) yield draftOf(kept[0].row, kept);
}

export async function* batchesOf(
  rows: AsyncIterable<Row>,
  { entries, bytes = mostBytes, rows: rowsAtMost = mostRows }: BatchLimits,
): AsyncGenerator<Batch> {
  let index = 0;
  for await (const draft of draftsOf(rows, { entries, bytes, rows: rowsAtMost }))
    yield { index: index++, ...draft };
}

/** The body of `/users/track`, and which entry stands where in it. */
export const bodyOf = (items: readonly Item[]): { json: string; places: Record<ArrayName, Item[]> } => {
  const places: Record<ArrayName, Item[]> = { attributes: [], events: [], purchases: [] };
  for (const item of items) places[item.array].push(item);
  const members = arrays
    .filter((array) => places[array].length > 0)
    .map((array) => `"${array}":[${places[array].map(({ json }) => json).join(',')}]`);
  return { json: `{${members.join(',')}}`, places };
};

/**
 * Cuts rows into batches, each a full request. A row that fits in one batch is never spread over two, so that every batch
 * begins with a row, and an import that continues there cuts the same batches again.
 */
import { isUtf8 } from 'node:buffer';
import type { JsonObject } from '../json.ts';
import { cutBefore, type Item, isTooMuch, type Loaded, loaded } from './batch-ends.ts';
import {
  type ArrayName,
  arrays,
  type Fault,
  type FurtherName,
  type LeftOutOf,
  leftOutOf,
  type Row,
} from './row.ts';

/** A further name, and its place. */
export interface NameItem extends FurtherName {
  line: number;
}

/** An entry without effect: refused, or ignored for a reason. */
export interface Refusal extends Fault {
  line: number;
  /** Of an ignored entry. */
  reason?: string;
  /** The refused entry, as a line that can be corrected and imported; or the unreadable text. */
  row?: JsonObject | string;
  /** In place of it, of a row that is not UTF-8. */
  row_base64?: string;
  /** The next part of the row before: it counts as one. */
  rest?: true;
}

export interface Doubt {
  line: number;
  sentence: string;
}

/** A row of CSV as it stands in the file. */
export interface RawRow {
  line: number;
  raw: Buffer;
}

export interface Batch {
  index: number;
  /** Where it begins, and where to continue when it and all before it are answered. */
  start: number;
  end: number;
  nextLine: number;
  /** 0, or the number of the part of a row that is larger than a batch. */
  part: number;
  rows: number;
  items: Item[];
  names: NameItem[];
  /** Rows that could not be read. */
  refusals: Refusal[];
  leftOut: LeftOutOf[];
  /** Rows that were sent and are to be looked at. */
  doubts: Doubt[];
  raws: RawRow[];
}

const namesIn = ({ row: { names = [], line } }: Loaded): NameItem[] =>
  names.map((name) => ({ ...name, line }));

const contentOf = ({ given, raw }: Row): Pick<Refusal, 'row' | 'row_base64'> => {
  if (given) return { row: given };
  if (!raw) return {};
  return isUtf8(raw)
    ? { row: raw.toString('utf8').replace(/\r?\n$/, '') }
    : { row_base64: raw.toString('base64') };
};

const refusalOf = (row: Row): Refusal[] =>
  row.fault ? [{ ...row.fault, line: row.line, ...contentOf(row), ...(row.isRest && { rest: true }) }] : [];

const rawOf = ({ row: { line, raw } }: Loaded): RawRow[] => (raw ? [{ line, raw }] : []);

const leftOutIn = ({ row: { leftOut, line, entries, names = [] } }: Loaded): LeftOutOf[] => {
  const person = (entries[0] ?? names[0])?.value ?? {};
  return leftOut.map((one) => leftOutOf(line, person, one));
};

type Draft = Omit<Batch, 'index'>;
type Rows = Iterable<Row> | AsyncIterable<Row>;

const draftOf = (first: Row, all: readonly Loaded[]): Draft => {
  const last = all.at(-1)?.row ?? first;
  return {
    start: first.start,
    end: last.end,
    nextLine: last.nextLine,
    part: 0,
    rows: all.filter(({ row }) => !row.isRest).length,
    items: all.flatMap(({ items }) => items),
    names: all.flatMap(namesIn),
    refusals: all.flatMap(({ row }) => refusalOf(row)),
    leftOut: all.flatMap(leftOutIn),
    doubts: all.flatMap(({ row: { line, doubt } }) =>
      doubt === undefined ? [] : [{ line, sentence: doubt }],
    ),
    raws: all.flatMap(rawOf),
  };
};

/** One row larger than a batch: batches of its own. The place to continue stays before it until the last of them. */
const partsOf = (one: Loaded, most: number): Draft[] => {
  const { row, items } = one;
  const whole = draftOf(row, [one]);
  const before = {
    ...whole,
    end: row.start,
    nextLine: row.line,
    rows: 0,
    refusals: [],
    leftOut: [],
    doubts: [],
  };
  return Array.from({ length: Math.ceil(items.length / most) }, (_, part) => ({
    ...((part + 1) * most >= items.length ? whole : before),
    part,
    items: items.slice(part * most, (part + 1) * most),
    // Former ids come before everything else about a person, aliases after it.
    names: whole.names.filter(
      ({ kind }) =>
        (kind === 'former' && part === 0) || (kind === 'alias' && (part + 1) * most >= items.length),
    ),
  }));
};

async function* draftsOf(rows: Rows, mostEntries: number): AsyncGenerator<Draft> {
  let kept: Loaded[] = [];
  for await (const row of rows) {
    const next = loaded(row);
    const isLarge = next.items.length > mostEntries;
    while (kept[0] && (isLarge || isTooMuch(kept, next, mostEntries))) {
      const cut = isLarge ? kept.length : cutBefore(kept, next);
      yield draftOf(kept[0].row, kept.slice(0, cut));
      kept = kept.slice(cut);
    }
    if (isLarge) yield* partsOf(next, mostEntries);
    else kept.push(next);
  }
  if (kept[0]) yield draftOf(kept[0].row, kept);
}

/** No batch has rows of two sections. */
export async function* batchesOf(sections: Iterable<Rows>, mostEntries: number): AsyncGenerator<Batch> {
  let index = 0;
  for (const rows of sections)
    for await (const draft of draftsOf(rows, mostEntries)) yield { index: index++, ...draft };
}

/** The body of `/users/track`, and the places of the entries in it. */
export const bodyOf = (items: readonly Item[]): { json: string; places: Record<ArrayName, Item[]> } => {
  const places: Record<ArrayName, Item[]> = { attributes: [], events: [], purchases: [] };
  for (const item of items) places[item.array].push(item);
  const members = arrays
    .filter((array) => places[array].length > 0)
    .map((array) => `"${array}":[${places[array].map(({ json }) => json).join(',')}]`);
  return { json: `{${members.join(',')}}`, places };
};

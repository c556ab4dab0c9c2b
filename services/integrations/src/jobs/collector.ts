/** Gathers the rows of one request, within the bounds of a request. */
import { type DataKind, stringifyExact } from '@roster/contract';
import { type Entry, type Layout, type Mapped, mostOfOnePerson, requestKinds } from '@roster/integrations';
import type { Cursor, PageRow } from '@roster/sources';
import type { KeptChange } from './kept.ts';
import { contentOf, type Layouts, mappedBy, tieOf } from './layouts.ts';
import { hashOf, type KnownRows, type Seen } from './memory.ts';

type By = NonNullable<Mapped['by']>;

export interface BadRow {
  reason: string;
  updatedAt?: string;
  row: string;
  entry?: Entry;
  /** Stamp of the request in which it failed first, when that is another one. */
  at?: number | undefined;
}

/** A row that makes an entry. */
export interface MappedRow {
  entry: Entry;
  /** When the row was changed. */
  updatedAt?: string | undefined;
  seen: Seen;
}

export interface Collected {
  /** After the last row that was looked at. */
  to: Cursor;
  /** Of rows that are tried again: the last of them. */
  again?: string;
  rows: readonly MappedRow[];
  /** How they name their people; where a request may mix that, the way of the last one. */
  by: By | undefined;
  /** The rows that are no entries. */
  bad: readonly (BadRow & { seen: Seen })[];
  /** Rows that are as they were, beside others of the same key and time that are not. */
  still?: readonly Seen[];
  /** In diff mode: what changes of what is kept of the table, */
  kept?: KeptChange;
  /** whether there were rows whose key can't be read, */
  unread?: true;
  /** and of rows that are gone: the kind of the data that takes them away. */
  removal?: DataKind;
}

/** Before all rows of a table that is read by its keys. */
export const start: Cursor = { updatedAt: '', tie: null };

const mostBytes = 256 * 1024;
const mostBad = 1_000;

/** Known rows of one key and time that are held. */
const mostTogether = 1_000;

/** Longer ones are told apart by their hash. */
const longestKey = 64;

interface CollectorOptions {
  layout: Layout;
  data: DataKind;
  known: KnownRows;
  layouts?: Pick<Layouts, 'hashUnder'>;
  /** Whether only the last reading of a key and time counts. */
  replaces?: boolean;
  /** Where reading begins. */
  since?: Cursor | undefined;
}

const personIn = (entry: Entry, by: By): string => {
  const { [by]: person = null } = entry;
  return typeof person === 'string' ? person : stringifyExact(person);
};

const badRow = (found: PageRow, reason: string): BadRow => ({
  reason,
  updatedAt: found.cursor.updatedAt,
  row: found.row ? stringifyExact(found.row) : JSON.stringify({ id: found.id }),
});

export const shortened = (tie: string): string =>
  tie.length > longestKey ? hashOf(tie).toString('base64url') : tie;

const seenOf = ({ cursor: { updatedAt, key = '' } }: PageRow, hash: Buffer, tie: string): Seen => ({
  hash,
  id: hashOf(updatedAt, tie),
  key: shortened(key === '' ? tie : key),
  ...(key !== '' && key !== tie && { name: shortened(tie) }),
});

const nothingHeld = () => ({
  rows: [] as MappedRow[],
  by: undefined as By | undefined,
  bad: [] as (BadRow & { seen: Seen })[],
  people: new Map<string, number>(),
  /** Entries of the person who has the most. */
  ofOnePerson: 0,
  bytes: 0,
  /** Rows that were applied before. */
  known: 0,
  still: [] as Seen[],
});

/** Rows of one key and time come one after the other. When one of them is new, those that are known are saved once more, with it. */
const createGroup = () => {
  let [id, known, isChanged]: [Buffer | undefined, Seen[], boolean] = [undefined, [], false];
  return {
    /** Those that are to be saved once more. */
    take(seen: Seen, isKnown: boolean): readonly Seen[] {
      if (!id || !seen.id?.equals(id)) [id, known, isChanged] = [seen.id, [], false];
      isChanged ||= !isKnown;
      if (isKnown && known.length < mostTogether) known.push(seen);
      return isChanged ? known.splice(0) : [];
    },
  };
};

const nothingElse: Pick<Layouts, 'hashUnder'> = { hashUnder: () => () => undefined };

export const createCollector = ({
  layout,
  data,
  known,
  since,
  layouts = nothingElse,
  replaces = true,
}: CollectorOptions) => {
  const group = createGroup();
  const { most, mixes } = requestKinds[data];
  let held = nothingHeld();
  let to = since;

  const keep = (row: MappedRow, by: By): void => {
    held.rows.push(row);
    held.by = by;
    const person = personIn(row.entry, by);
    const count = 1 + (held.people.get(person) ?? 0);
    held.people.set(person, count);
    held.ofOnePerson = Math.max(held.ofOnePerson, count);
  };

  return {
    /** False, and nothing is added, when the row can't share a request with those that are held. */
    add(found: PageRow): boolean {
      const { cursor } = found;
      const mapped = mappedBy(layout, data, found);
      if (!mixes && mapped.by && held.by && mapped.by !== held.by) return false;
      to = cursor;
      const text = contentOf(mapped, found);
      const tie = tieOf(layout, found);
      const seen = seenOf(found, hashOf(cursor.updatedAt, tie, text), tie);
      const isKnown = known.knows(seen, mapped.entry, layouts.hashUnder(found));
      if (replaces) held.still.push(...group.take(seen, isKnown));
      if (isKnown) {
        held.known += 1;
        return true;
      }
      if (mapped.entry) {
        keep({ entry: mapped.entry, updatedAt: cursor.updatedAt, seen }, mapped.by);
        held.bytes += text.length;
        return true;
      }
      held.bad.push({ ...badRow(found, mapped.problem), seen });
      return true;
    },
    isFull: (): boolean =>
      held.rows.length >= most ||
      held.bytes >= mostBytes ||
      held.bad.length >= mostBad ||
      held.ofOnePerson >= mostOfOnePerson,
    /** What was gathered since the last time; `undefined` when no row was looked at, unless that is to be told too. */
    take(isTold = false): Collected | undefined {
      const { rows, by, bad, still, known: again } = held;
      if (!isTold && (!to || rows.length + bad.length + again === 0)) return undefined;
      held = nothingHeld();
      return { to: to ?? start, rows, by, bad, still };
    },
  };
};

export type Collector = ReturnType<typeof createCollector>;

/** What the SQL of warehouses has in common. */
import { attempted } from '../members.ts';
import { jsonCell } from '../numbers.ts';
import type { Cell } from '../source.ts';
import {
  asItIs,
  type Dialect,
  type Kind,
  type MomentKind,
  type SqlColumn,
  type TieKind,
} from '../sql/dialect.ts';

interface Tables extends Pick<Dialect, 'quote' | 'folded' | 'bytes'> {
  /** Of the value at this place, counted from 1; one value may stand in several places. */
  readonly placeholder: (place: number) => string;
  readonly kinds: Readonly<Record<string, Kind>>;
  readonly otherKind: Kind;
  readonly moments: Readonly<Record<string, MomentKind>>;
  readonly ties: Readonly<Record<string, TieKind>>;
}

/** A name such as `constructor` has no entry. */
export const entryOf = <Entry>(table: Readonly<Record<string, Entry>>, name: string): Entry | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

export const withoutZone = (moment: string): string => moment.replace('Z', '');

/** What is no JSON stays a text. */
export const json = (text: string): Cell => attempted(() => jsonCell(text), text);

type Cast = (placeholder: string) => string;

export const castTo =
  (type: string): Cast =>
  (placeholder) =>
    `CAST(${placeholder} AS ${type})`;

/** A day is the moment of its beginning. */
export const dayMoment = (text: MomentKind['text'], value = castTo('DATE')): MomentKind => ({
  text,
  value,
  bind: (moment) => moment.slice(0, 10),
  hasZone: false,
  isDay: true,
});

/** Whole numbers that tell rows apart. `cast` makes one of a text. */
export const wholeTie = (text: (column: string) => string, cast: Cast): TieKind => ({
  text,
  order: asItIs,
  isWhole: true,
  value: (tie, bind) => cast(bind(tie)),
});

export const dialectOf = ({ placeholder, kinds, otherKind, moments, ties, ...own }: Tables): Dialect => ({
  ...own,
  binder: (values) => (value) => placeholder(values.push(value)),
  smallBytes: 16,
  nulls: 'last',
  kindOf: ({ kind }: SqlColumn) => entryOf(kinds, kind) ?? otherKind,
  momentOf: ({ kind }: SqlColumn) => entryOf(moments, kind),
  tieOf: ({ kind }: SqlColumn) => entryOf(ties, kind),
  earliest: '0001-01-01T00:00:00Z',
  says: { moment: 'a timestamp or a date', tie: 'a text or a number', hidden: 'it' },
  select: ({ cells, bytes, from, rest }) =>
    `SELECT ${cells('roster_bytes')} FROM (SELECT *, ${bytes} AS roster_bytes FROM ${from}) AS roster_rows ${rest}`,
  count: { select: 'SELECT COUNT(*)', read: Number },
});

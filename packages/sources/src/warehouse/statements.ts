/** The statements that read rows of a warehouse. All their cells are texts. */
import { bounds } from '../bounds.ts';
import { noKey, wholeKey } from '../keys.ts';
import { type Found, type Place, tieCharactersRead } from '../place.ts';
import { isAfter } from '../sql/keyset.ts';
import { foundBy, type Raw } from '../sql/rows.ts';
import { asItIs, type Dialect, entryOf, type Kind, type MomentKind } from './dialect.ts';
import type { Table, WarehouseColumn } from './table.ts';

export interface Statement {
  readonly text: string;
  readonly values: readonly string[];
}

const smallBytes = 16;
const aheadOfUtcMs = 14 * 3_600_000;
const beginning: Place = { moment: '0001-01-01T00:00:00Z', tie: undefined, isOpen: true, seen: [] };

const kindOf = (dialect: Dialect, { kind }: WarehouseColumn): Kind =>
  entryOf(dialect.kinds, kind) ?? dialect.otherKind;

const cellText = (dialect: Dialect, column: WarehouseColumn): string => {
  const name = dialect.quote(column.name);
  return kindOf(dialect, column).text?.(name) ?? name;
};

const cellBytes = (dialect: Dialect, column: WarehouseColumn): string => {
  const { bytes } = kindOf(dialect, column);
  return bytes ? bytes(dialect.quote(column.name)) : dialect.bytes(cellText(dialect, column));
};

const rowBytes = (dialect: Dialect, columns: readonly WarehouseColumn[]): string => {
  const varying = columns.filter((column) => !kindOf(dialect, column).isSmall);
  const sizes = varying.map((column) => `COALESCE(${cellBytes(dialect, column)}, 0)`);
  return [String(smallBytes * columns.length), ...sizes].join(' + ');
};

const tieText = (dialect: Dialect, { tie }: Table): string => tie.kind.text(dialect.quote(tie.name));

const tieOrder = (dialect: Dialect, table: Table): string =>
  table.tie.kind.whole ? dialect.quote(table.tie.name) : tieText(dialect, table);

/**
 * Rows of the future wait: one that is read too early would hide all changes until its time has come. The time is a constant of this process,
 * by which a warehouse can skip partitions.
 */
const latest = ({ hasZone }: MomentKind, now: Date): string =>
  new Date(now.getTime() + (hasZone ? 0 : aheadOfUtcMs)).toISOString();

const conditions = (dialect: Dialect, table: Table, since: Place | undefined, now: Date): Statement => {
  const values: string[] = [];
  const placeholder = (value: string) => dialect.placeholder(values.push(value));
  const { moment, tie } = table;
  const momentName = moment && dialect.quote(moment.name);
  const momentValue = (text: string): string =>
    moment ? moment.kind.value(placeholder((moment.kind.bind ?? asItIs)(text))) : '';
  const { whole = asItIs } = tie.kind;
  const keyset = {
    moment: momentName,
    tie: tieOrder(dialect, table),
    nulls: 'last' as const,
    momentValue,
    tieValue: (text: string) => whole(placeholder(text)),
  };
  const after = since ?? (moment && beginning);
  const text = [
    ...(moment ? [`${momentName} <= ${momentValue(latest(moment.kind, now))}`] : ['TRUE']),
    ...(after ? [isAfter(keyset, after)] : []),
  ].join(' AND ');
  return { text, values };
};

/** A row is its moment, its tie, its bytes, then its cells, which stay in the server when there are too many bytes. */
const selected = (dialect: Dialect, table: Table): string =>
  [
    `${table.moment ? table.moment.kind.text(dialect.quote(table.moment.name)) : "''"} AS roster_moment`,
    `SUBSTR(${tieText(dialect, table)}, 1, ${tieCharactersRead}) AS roster_tie`,
    'roster_bytes',
    ...table.columns.map(
      (column, at) =>
        `CASE WHEN roster_bytes <= ${bounds.rowBytes} THEN ${cellText(dialect, column)} END AS roster_${at}`,
    ),
  ].join(', ');

const rows = (dialect: Dialect, table: Table, where: string, rest: string): string =>
  `SELECT ${selected(dialect, table)} FROM (SELECT *, ${rowBytes(dialect, table.columns)} AS roster_bytes ` +
  `FROM ${table.quotedName} WHERE ${where}) AS roster_rows ${rest}`;

export interface Reading {
  readonly since: Place | undefined;
  readonly now: Date;
  /** More than that a warehouse may not be able to sort at once. */
  readonly most: number;
}

export const readRows = (dialect: Dialect, table: Table, { since, now, most }: Reading): Statement => {
  const { text, values } = conditions(dialect, table, since, now);
  const order = [
    ...(table.moment ? [dialect.quote(table.moment.name)] : []),
    `${tieOrder(dialect, table)} NULLS LAST`,
  ];
  return { text: rows(dialect, table, text, `ORDER BY ${order.join(', ')} LIMIT ${most}`), values };
};

/** Any rows, as to sort a large table for three of them costs too much. */
export const sampleRows = (dialect: Dialect, table: Table, now: Date): Statement => {
  const { text, values } = conditions(dialect, table, undefined, now);
  return { text: rows(dialect, table, text, `LIMIT ${bounds.sampleRows}`), values };
};

export const countRows = (dialect: Dialect, table: Table, since: Place | undefined, now: Date): Statement => {
  const { text, values } = conditions(dialect, table, since, now);
  return { text: `SELECT '', '', COUNT(*) FROM ${table.quotedName} WHERE ${text}`, values };
};

export const finderOf = (dialect: Dialect, { columns, moment, tie }: Table): ((raw: Raw) => Found) =>
  foundBy(
    columns.map((column) => [column.name, kindOf(dialect, column).read ?? asItIs]),
    moment
      ? undefined
      : (text) => {
          if (text === null) return noKey.last;
          return tie.kind.whole ? wholeKey(text) : text;
        },
  );

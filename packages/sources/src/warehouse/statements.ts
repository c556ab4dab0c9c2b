/** The statements that read rows of a warehouse. All their cells are texts. */
import { bounds } from '../bounds.ts';
import { type Place, tieCharactersRead } from '../place.ts';
import { isAfter } from '../sql/keyset.ts';
import { type Dialect, entryOf, type Kind, type MomentKind } from './dialect.ts';
import type { Table, WarehouseColumn } from './table.ts';

export interface Statement {
  readonly text: string;
  readonly values: readonly string[];
}

export interface Span {
  readonly since: Place | undefined;
  /** Rows of the future wait: one that is read too early would hide all changes until its time has come. */
  readonly now: Date;
}

const smallBytes = 16;
const aheadOfUtcMs = 14 * 3_600_000;

export const kindOf = (dialect: Dialect, { kind }: WarehouseColumn): Kind =>
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

const latest = ({ hasZone }: MomentKind, now: Date): string =>
  new Date(now.getTime() + (hasZone ? 0 : aheadOfUtcMs)).toISOString();

const conditions = (dialect: Dialect, { moment, tie }: Table, { since, now }: Span): Statement => {
  const values: string[] = [];
  const placeholder = (value: string) => dialect.placeholder(values.push(value));
  const { bind = (text) => text, value } = moment.kind;
  const momentValue = (text: string) => value(placeholder(bind(text)));
  const [momentName, tieName] = [dialect.quote(moment.name), dialect.quote(tie.name)];
  const keyset = {
    moment: momentName,
    tie: tieName,
    nulls: 'last',
    momentValue,
    tieValue: (text: string) => tie.kind.value(placeholder(text)),
  } as const;
  const text = [
    `${momentName} <= ${momentValue(latest(moment.kind, now))}`,
    ...(since ? [isAfter(keyset, since)] : []),
  ].join(' AND ');
  return { text, values };
};

/** A row is its moment, its tie, its bytes, then its cells, which stay in the server when there are too many bytes. */
const selected = (dialect: Dialect, { moment, tie, columns }: Table): string =>
  [
    `${moment.kind.text(dialect.quote(moment.name))} AS roster_moment`,
    `SUBSTR(${tie.kind.text(dialect.quote(tie.name))}, 1, ${tieCharactersRead}) AS roster_tie`,
    'roster_bytes',
    ...columns.map(
      (column, at) =>
        `CASE WHEN roster_bytes <= ${bounds.rowBytes} THEN ${cellText(dialect, column)} END AS roster_${at}`,
    ),
  ].join(', ');

const rows = (dialect: Dialect, table: Table, where: string, rest: string): string =>
  `SELECT ${selected(dialect, table)} FROM (SELECT *, ${rowBytes(dialect, table.columns)} AS roster_bytes ` +
  `FROM ${table.quotedName} WHERE ${where}) AS roster_rows ${rest}`;

export const readRows = (dialect: Dialect, table: Table, span: Span, most: number): Statement => {
  const { text, values } = conditions(dialect, table, span);
  const order = `ORDER BY ${dialect.quote(table.moment.name)}, ${dialect.quote(table.tie.name)} NULLS LAST`;
  return { text: rows(dialect, table, text, `${order} LIMIT ${most}`), values };
};

/** Any rows, as to sort a large table for three of them costs too much. */
export const sampleRows = (dialect: Dialect, table: Table, now: Date): Statement => {
  const { text, values } = conditions(dialect, table, { since: undefined, now });
  return { text: rows(dialect, table, text, `LIMIT ${bounds.sampleRows}`), values };
};

export const countRows = (dialect: Dialect, table: Table, span: Span): Statement => {
  const { text, values } = conditions(dialect, table, span);
  return { text: `SELECT COUNT(*) FROM ${table.quotedName} WHERE ${text}`, values };
};

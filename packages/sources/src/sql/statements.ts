/** The statements that read rows. */
import { bounds } from '../bounds.ts';
import { type Place, tieCharactersRead } from '../place.ts';
import { asItIs, type Dialect } from './dialect.ts';
import type { Table } from './table.ts';

/** Within one moment: which ties come after. `value` is a placeholder for one of the type of the column. */
const laterTie = (
  tie: string,
  nulls: Dialect['nulls'],
  place: Place,
  value: (tie: string) => string,
): string | undefined => {
  if (place.tie === undefined) return 'true';
  if (place.tie !== null) {
    const later = `${tie} ${place.isOpen ? '>=' : '>'} ${value(place.tie)}`;
    return nulls === 'last' ? `(${later} OR ${tie} IS NULL)` : later;
  }
  if (nulls === 'first') return place.isOpen ? 'true' : `${tie} IS NOT NULL`;
  return place.isOpen ? `${tie} IS NULL` : undefined;
};

/** The first comparison alone bounds what an index has to read. */
const isAfter = (moment: string, value: string, within: string | undefined): string => {
  if (within === 'true') return `${moment} >= ${value}`;
  if (within === undefined) return `${moment} > ${value}`;
  return `${moment} >= ${value} AND (${moment} > ${value} OR ${within})`;
};

export interface Statement {
  readonly text: string;
  readonly values: readonly string[];
}

/** What is the same for all types of columns. */
type Sql = Omit<Dialect, 'kindOf' | 'momentOf' | 'tieOf'>;

const aheadOfUtcMs = 14 * 3_600_000;

const cellText = ({ quote }: Sql, { name, kind: { text = asItIs } }: Table['columns'][number]): string =>
  text(quote(name));

const rowBytes = (sql: Sql, { columns }: Table): string => {
  const varying = columns.filter(({ kind }) => !kind.isSmall);
  const sizes = varying.map((column) => {
    const { bytes } = column.kind;
    return `COALESCE(${bytes ? bytes(sql.quote(column.name)) : sql.bytes(cellText(sql, column))}, 0)`;
  });
  return [String(sql.smallBytes * columns.length), ...sizes].join(' + ');
};

const tieOrder = ({ quote }: Sql, { tie: { name, kind } }: Table): string =>
  (kind.order ?? kind.text)(quote(name));

const tieText = ({ quote }: Sql, { tie }: Table): string =>
  `SUBSTR(${tie.kind.text(quote(tie.name))}, 1, ${tieCharactersRead}) AS roster_tie`;

/**
 * Rows of the future wait: one that is read too early would hide all changes until its time has come. Where it is a time of this process, it
 * is a constant, by which a warehouse can skip partitions.
 */
const latest = (hasZone: boolean): string =>
  new Date(Date.now() + (hasZone ? 0 : aheadOfUtcMs)).toISOString();

const conditions = (sql: Sql, table: Table, since: Place | undefined): Statement => {
  const values: string[] = [];
  const bind = sql.binder(values);
  const { moment, tie } = table;
  const momentValue = (text: string): string =>
    moment ? moment.kind.value(bind((moment.kind.bind ?? asItIs)(text))) : '';
  const timely = ({ name, kind: { hasZone } }: NonNullable<typeof moment>): string[] => [
    `${sql.quote(name)} >= ${momentValue(sql.earliest)}`,
    `${sql.quote(name)} <= ${sql.now?.(hasZone) ?? momentValue(latest(hasZone))}`,
  ];
  const after = (place: Place): string => {
    const tieValue = (text: string): string => tie.kind.value?.(text, bind) ?? bind(text);
    const within = laterTie(tieOrder(sql, table), sql.nulls, place, tieValue);
    return moment ? isAfter(sql.quote(moment.name), momentValue(place.moment), within) : (within ?? 'false');
  };
  const all = [...(moment ? timely(moment) : ['TRUE']), ...(since ? [after(since)] : [])];
  return { text: all.join(' AND '), values };
};

/** A row is its moment, its tie, its bytes, then its cells, of which the large ones stay in the server when there are too many bytes. */
const cellsOf =
  (sql: Sql, table: Table) =>
  (bytes: string): string =>
    [
      `${table.moment ? table.moment.kind.text(sql.quote(table.moment.name)) : "''"} AS roster_moment`,
      tieText(sql, table),
      bytes,
      ...table.columns.map((column, at) => {
        const cell = cellText(sql, column);
        return `${column.kind.isSmall ? cell : `CASE WHEN ${bytes} <= ${bounds.rowBytes} THEN ${cell} END`} AS roster_${at}`;
      }),
    ].join(', ');

const reading = (sql: Sql, table: Table, since: Place | undefined, rest: string): Statement => {
  const { text, values } = conditions(sql, table, since);
  const from = `${table.quotedName} WHERE ${text}`;
  return {
    text: sql.select({ cells: cellsOf(sql, table), bytes: rowBytes(sql, table), from, rest }),
    values,
  };
};

/** `most`: more than that a server may not be able to sort at once. */
export const readRows = (sql: Sql, table: Table, since: Place | undefined, most: number | undefined) => {
  const order = [
    ...(table.moment ? [sql.quote(table.moment.name)] : []),
    tieOrder(sql, table) + (sql.nulls === 'last' ? ' NULLS LAST' : ''),
  ];
  const limit = most === undefined ? '' : ` LIMIT ${most}`;
  return reading(sql, table, since, `ORDER BY ${order.join(', ')}${limit}`);
};

/** Any rows, as to sort a large table for three of them costs too much. */
export const sampleRows = (sql: Sql, table: Table): Statement =>
  reading(sql, table, undefined, `LIMIT ${bounds.sampleRows}`);

export const countRows = (sql: Sql, table: Table, since: Place | undefined): Statement => {
  const { text, values } = conditions(sql, table, since);
  return { text: `${sql.count.select} FROM ${table.quotedName} WHERE ${text}`, values };
};

export const timelessRows = ({ quote }: Sql, { quotedName, moment }: Table): Statement => ({
  text: `SELECT '', '', COUNT(*) FROM (SELECT 1 AS roster_row FROM ${quotedName} WHERE ${quote(moment?.name ?? '')} IS NULL
    LIMIT ${bounds.timelessRows}) AS roster_rows`,
  values: [],
});

export const repeatedTie = (sql: Sql, table: Table, group: string): Statement => {
  const name = sql.quote(table.tie.name);
  return {
    text: `SELECT ${tieText(sql, table)} FROM (SELECT ${name} FROM ${table.quotedName} WHERE ${name} IS NOT NULL
      LIMIT ${bounds.keyRows}) AS roster_rows GROUP BY ${group} HAVING COUNT(*) > 1 LIMIT 1`,
    values: [],
  };
};

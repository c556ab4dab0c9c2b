/** The statements that read rows. */
import { bounds } from '../bounds.ts';
import { type Place, tieCharactersRead } from '../place.ts';
import { isAfter } from '../sql/keyset.ts';
import { quoted } from '../sql/table-name.ts';
import { isWhole, type Table, type TableColumn } from './table.ts';

export interface Statement {
  readonly text: string;
  readonly values: readonly string[];
}

/** Their values have a few bytes. */
const small = new Set(
  'bool int2 int4 int8 float4 float8 oid uuid date time timetz timestamp timestamptz interval name char money'.split(
    ' ',
  ),
);
const smallBytes = 16;
/** Their size is known without reading the value. */
const sized = new Set(['text', 'varchar', 'bpchar', 'citext']);

const bytesOf = ({ name, kind }: TableColumn): string => {
  if (kind === 'bytea') return `coalesce(2 * octet_length(${quoted(name)}), 0)`;
  return `coalesce(octet_length(${quoted(name)}${sized.has(kind) ? '' : '::text'}), 0)`;
};

const rowBytes = (columns: readonly TableColumn[]): string => {
  const varying = columns.filter(({ kind }) => !small.has(kind));
  return [`${smallBytes * columns.length}::bigint`, ...varying.map(bytesOf)].join(' + ');
};

/** No `character` and no length: a cast to these would cut the value. */
const castType = ({ kind, type, isEnum }: TableColumn): string => {
  return isEnum ? type : quoted(kind);
};

/** Rows of the future wait: one that is read too early would hide all changes until its time has come. */
const notYet = ({ kind }: TableColumn, column: string): string =>
  kind === 'timestamptz'
    ? `${column} <= now()`
    : `${column} <= (now() AT TIME ZONE 'UTC') + interval '14 hours'`;

const tieText = ({ name, kind }: TableColumn): string =>
  kind === 'numeric' ? `trim_scale(${quoted(name)})::text` : `${quoted(name)}::text`;

/** Ties that are equal must be the same text. The order of keys must be known here too: a text has that of its bytes. */
const isByText = ({ moment, tie }: Table): boolean =>
  !tie.isExact || (!moment && !isWhole(tie) && tie.kind !== 'uuid');

const tieOrder = (table: Table): string =>
  isByText(table) ? `(${tieText(table.tie)} COLLATE "C")` : quoted(table.tie.name);

const conditions = (table: Table, since: Place | undefined): { text: string; values: string[] } => {
  const { moment, tie } = table;
  const momentName = moment && quoted(moment.name);
  const values: string[] = [];
  const value = (text: string, type: string) => `$${values.push(text)}::${type}`;
  const text = [
    ...(moment ? [`${quoted(moment.name)} >= '0001-01-01'`, notYet(moment, quoted(moment.name))] : ['true']),
    ...(since
      ? [
          isAfter(
            {
              moment: momentName,
              tie: tieOrder(table),
              nulls: 'last',
              momentValue: (text) => value(text, moment ? castType(moment) : 'text'),
              tieValue: (text) => value(text, isByText(table) ? 'text' : castType(tie)),
            },
            since,
          ),
        ]
      : []),
  ].join(' AND ');
  return { text, values };
};

const momentText = (moment: TableColumn | undefined): string => {
  if (!moment) return "''::text";
  const { name, kind } = moment;
  const column = kind === 'timestamptz' ? `(${quoted(name)} AT TIME ZONE 'UTC')` : quoted(name);
  return `to_char(${column}::timestamp, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
};

/** A row is its moment, its tie, its bytes, then its cells, which stay in the server when there are too many bytes. */
const selected = ({ moment, tie, columns }: Table): string =>
  [
    momentText(moment),
    `left(${tieText(tie)}, ${tieCharactersRead})`,
    'roster_bytes',
    ...columns.map(({ name }) => `CASE WHEN roster_bytes <= ${bounds.rowBytes} THEN ${quoted(name)} END`),
  ].join(', ');

/** OFFSET 0 lets the size of a row be worked out once. */
const rows = (table: Table, where: string, rest: string): string =>
  `SELECT ${selected(table)} FROM (SELECT *, ${rowBytes(table.columns)} AS roster_bytes FROM ${table.quotedName} ` +
  `WHERE ${where} ${rest} OFFSET 0) AS roster_rows`;

export const readRows = (table: Table, since: Place | undefined): Statement => {
  const { text, values } = conditions(table, since);
  const order = [...(table.moment ? [quoted(table.moment.name)] : []), tieOrder(table)];
  return { text: rows(table, text, `ORDER BY ${order.join(', ')}`), values };
};

/** Any rows, as to sort a large table for three of them costs too much. */
export const sampleRows = (table: Table): Statement => ({
  text: rows(table, conditions(table, undefined).text, `LIMIT ${bounds.sampleRows}`),
  values: [],
});

export const repeatedTie = ({ quotedName, tie }: Table): Statement => ({
  text: `SELECT left(${tieText(tie)}, ${tieCharactersRead}) FROM (SELECT ${quoted(tie.name)} FROM ${quotedName}
    WHERE ${quoted(tie.name)} IS NOT NULL LIMIT ${bounds.keyRows}) AS roster_rows GROUP BY 1 HAVING count(*) > 1 LIMIT 1`,
  values: [],
});

/** The planner's estimate. */
export const estimateRows = (table: Table, since: Place | undefined): Statement => {
  const { text, values } = conditions(table, since);
  return { text: `EXPLAIN (FORMAT JSON) SELECT 1 FROM ${table.quotedName} WHERE ${text}`, values };
};

/**
 * How many sessions hide their transactions, and the age of the oldest transaction of the database that is seen. A standby sees none of those
 * that matter.
 */
export const oldestTransaction: Statement = {
  text: `SELECT count(*) FILTER (WHERE query = '<insufficient privilege>') + pg_is_in_recovery()::int,
    coalesce(extract(epoch FROM clock_timestamp() - min(xact_start)), 0)
    FROM pg_catalog.pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND coalesce(backend_type, '') NOT IN ('autovacuum worker', 'walsender')`,
  values: [],
};

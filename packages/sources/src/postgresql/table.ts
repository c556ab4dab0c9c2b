/** The table, view or foreign table in PostgreSQL's catalog. */
import type { Client } from 'pg';
import { bounds } from '../bounds.ts';
import type { Wanted } from '../server/protocol.ts';
import { SourceError } from '../source-error.ts';
import { findColumn } from '../sql/find-column.ts';
import { quoted, tableParts } from '../sql/table-name.ts';

export interface TableColumn {
  readonly name: string;
  /** As people write it: `timestamp with time zone`. */
  readonly type: string;
  /** Its short name, `_` before it for an array; of a domain, the type below it. */
  readonly kind: string;
  readonly isEnum: boolean;
  /** Whether texts that differ are never equal in the order of the column. */
  readonly isExact: boolean;
}

export interface Table {
  readonly quotedName: string;
  readonly columns: readonly TableColumn[];
  /** Without it rows are read by their ties. */
  readonly moment: TableColumn | undefined;
  readonly tie: TableColumn;
}

const catalog = `
WITH RECURSIVE found AS (
  SELECT a.attnum, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.atttypid AS base,
    coalesce(c.collisdeterministic, true) AS is_exact
  FROM pg_catalog.pg_attribute a LEFT JOIN pg_catalog.pg_collation c ON c.oid = a.attcollation
  WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped
), based AS (
  SELECT * FROM found
  UNION ALL
  SELECT b.attnum, b.name, b.type, t.typbasetype, b.is_exact FROM based b JOIN pg_catalog.pg_type t ON t.oid = b.base AND t.typtype = 'd'
)
SELECT b.name, b.type, t.typname AS kind, t.typtype = 'e' AS is_enum, b.is_exact AND t.typname <> 'citext' AS is_exact
FROM based b JOIN pg_catalog.pg_type t ON t.oid = b.base AND t.typtype <> 'd'
ORDER BY b.attnum LIMIT ${bounds.columns}`;

const quotedTable = (parts: readonly string[]): string => parts.map(quoted).join('.');

const columnsOf = async (client: Client, quotedName: string): Promise<readonly TableColumn[]> => {
  const { rows } = await client.query(catalog, [quotedName]);
  return rows.map(({ name, type, kind, is_enum, is_exact }) => ({
    name,
    type,
    kind,
    isEnum: is_enum === 't',
    isExact: is_exact === 't',
  }));
};

/** The very name, or its form in small letters, which PostgreSQL makes of names without quotes. */
export const findTable = async (
  client: Client,
  table: string,
): Promise<Pick<Table, 'quotedName' | 'columns'>> => {
  const parts = tableParts(table);
  for (const names of [parts, parts.map((name) => name.toLowerCase())]) {
    const quotedName = quotedTable(names);
    const columns = await columnsOf(client, quotedName);
    if (columns.length > 0) return { quotedName, columns };
  }
  throw new SourceError('table_missing', `there is no table ${table}, or the user may not see its schema`);
};

const momentKinds = ['timestamptz', 'timestamp', 'date'];
const wholeKinds = ['int2', 'int4', 'int8'];
const tieKinds = ['text', 'varchar', 'bpchar', 'citext', 'name', 'uuid', 'numeric', ...wholeKinds];

export const isWhole = ({ kind }: TableColumn): boolean => wholeKinds.includes(kind);

const assertKind = ({ name, type, kind, isEnum }: TableColumn, kinds: readonly string[], says: string) => {
  if (kinds.includes(kind) || (isEnum && kinds === tieKinds)) return;
  throw new SourceError('wrong_type', `column ${name} is of type ${type}, but ${says}`);
};

export const readTable = async (client: Client, wanted: Wanted): Promise<Table> => {
  const { quotedName, columns } = await findTable(client, wanted.table);
  const moment =
    wanted.updatedAt === undefined ? undefined : findColumn(columns, wanted.updatedAt, wanted.table);
  const tie = findColumn(columns, wanted.tie, wanted.table);
  if (moment) assertKind(moment, momentKinds, 'the moment of a change must be a timestamp or a date');
  assertKind(tie, tieKinds, 'rows are told apart by a text, a UUID or a whole number');
  return { quotedName, columns, moment, tie };
};

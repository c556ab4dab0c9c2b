/** Tables, views and foreign tables of PostgreSQL. */
import { bounds } from '../bounds.ts';
import type { Protocol } from '../server/protocol.ts';
import type { ServerTable } from '../settings.ts';
import { readAddress } from '../sql/address.ts';
import { rowsIn } from '../sql/rows.ts';
import type { Named, Table } from '../sql/table.ts';
import { tableParts } from '../sql/table-name.ts';
import { tablesOf } from '../sql/tables.ts';
import { dialect, type TableColumn } from './dialect.ts';
import { toSourceError } from './errors.ts';
import { begin, connect, type Session, usualBeginning } from './session.ts';

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
ORDER BY b.attnum LIMIT ${bounds.columns + 1}`;

const columnsOf = async (
  { client }: Session,
  { quotedName }: Named,
): Promise<readonly TableColumn[] | undefined> => {
  const { rows } = await client.query(catalog, [quotedName]);
  if (rows.length === 0) return undefined;
  return rows.map(({ name, type, kind, is_enum, is_exact }) => ({
    name,
    type,
    kind,
    isEnum: is_enum === 't',
    isExact: is_exact === 't',
  }));
};

/**
 * How many sessions hide their transactions, and the age of the oldest transaction of the database that is seen. A standby sees none of those
 * that matter.
 */
const oldestTransaction = `SELECT count(*) FILTER (WHERE query = '<insufficient privilege>' OR state = 'disabled') + pg_is_in_recovery()::int,
  coalesce(extract(epoch FROM clock_timestamp() - min(xact_start)), 0)
  FROM pg_catalog.pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
  AND coalesce(backend_type, '') NOT IN ('autovacuum worker', 'walsender')`;

/** It has left its session. When it was prepared is told, when it began is not. */
const oldestPrepared = `SELECT extract(epoch FROM clock_timestamp() - min(prepared))
  FROM pg_catalog.pg_prepared_xacts WHERE database = current_database()`;

export const postgresql = ({ url, tls }: ServerTable): Protocol<Session, Table> => {
  const address = readAddress(url, ['postgresql:', 'postgres:'], 5432);
  return {
    ...tablesOf(dialect, {
      partsOf: tableParts,
      columnsOf,
      stream: ({ stream }, statement, waiting) => rowsIn(stream(statement), waiting),
    }),
    at: address.at,
    connect: () => connect(address, tls),
    begin: (session, statementMs) => begin(session, usualBeginning('READ ONLY', statementMs)),
    toSourceError: (error) => toSourceError(error, address),
    async lag({ client }, mostSeconds = 0) {
      const ask = async (text: string): Promise<(string | null)[]> =>
        (await client.query<(string | null)[]>({ text, rowMode: 'array' })).rows[0] ?? [];
      const [hidden, seconds] = await ask(oldestTransaction);
      // Afterwards: one that is prepared meanwhile was seen in its session.
      const [prepared = null] = await ask(oldestPrepared);
      if (hidden !== '0') return undefined;
      return Math.max(Number(seconds), ...(prepared === null ? [] : [Number(prepared), mostSeconds]));
    },
  };
};

/** Tables and views of MySQL and MariaDB. */
import { bounds } from '../bounds.ts';
import { member } from '../members.ts';
import type { Protocol } from '../server/protocol.ts';
import type { ServerTable } from '../settings.ts';
import { readAddress } from '../sql/address.ts';
import type { SqlColumn } from '../sql/dialect.ts';
import { rowsIn } from '../sql/rows.ts';
import type { Named, Table } from '../sql/table.ts';
import { quotedBy, tableParts } from '../sql/table-name.ts';
import { tablesOf } from '../sql/tables.ts';
import { dialect } from './dialect.ts';
import { toSourceError } from './errors.ts';
import { assertVerifiable, begin, connect, type Session } from './session.ts';

const inBackquotes = quotedBy('`');

const catalog = `SELECT column_name, column_type, data_type FROM information_schema.columns
WHERE table_schema = ? AND table_name = ? ORDER BY ordinal_position LIMIT ${bounds.columns + 1}`;

/** The type `json` of MariaDB is a text with a check. MySQL has a type of its own, and no table in this view. */
const checks = `SELECT check_clause FROM information_schema.check_constraints
WHERE constraint_schema = ? AND table_name = ? AND check_clause LIKE 'json_valid(%'`;

/** ER_BAD_FIELD_ERROR, ER_UNKNOWN_TABLE, ER_NO_SUCH_TABLE. */
const noSuchView = new Set([1054, 1109, 1146]);

const checkedIn = async ({ ask }: Session, parts: Named['parts']): Promise<ReadonlySet<string | null>> => {
  const rows = await ask(checks, parts).catch((error: unknown) => {
    if (noSuchView.has(Number(member(error, 'errno')))) return [];
    throw error;
  });
  return new Set(rows.map(([clause = null]) => clause));
};

const columnsOf = async (session: Session, { parts }: Named): Promise<readonly SqlColumn[] | undefined> => {
  const rows = await session.ask(catalog, parts);
  if (rows.length === 0) return undefined;
  const mayBeJson = rows.some(([, , kind]) => kind === 'longtext');
  const checked = mayBeJson ? await checkedIn(session, parts) : new Set();
  return rows.map(([name, type, kind]) => {
    const isJson = kind === 'longtext' && checked.has(`json_valid(${inBackquotes(name ?? '')})`);
    return { name: name ?? '', type: isJson ? 'json' : (type ?? ''), kind: isJson ? 'json' : (kind ?? '') };
  });
};

/**
 * What others have begun: how many of its transactions have no session (XA, prepared), and the age of the oldest transaction and of the oldest
 * statement, whose `NOW()` is that of its begin. The times of transactions are in the zone of the system.
 */
const oldestTransaction = `SELECT
  (SELECT COUNT(*) FROM information_schema.processlist WHERE user = 'system user' AND command <> 'Daemon') + @@global.read_only,
  SUM(trx_mysql_thread_id = 0),
  GREATEST(COALESCE(TIMESTAMPDIFF(MICROSECOND, CONVERT_TZ(MIN(trx_started), 'SYSTEM', '+00:00'), UTC_TIMESTAMP(6)) / 1000000, 0),
    (SELECT COALESCE(MAX(time) + 1, 0) FROM information_schema.processlist
      WHERE command IN ('Query', 'Execute') AND id <> CONNECTION_ID()))
  FROM information_schema.innodb_trx WHERE trx_mysql_thread_id <> CONNECTION_ID()`;

/** ER_SPECIFIC_ACCESS_DENIED_ERROR: it needs the privilege PROCESS. */
const mayNotLook = 1227;

export const mysql = ({ url, tls }: ServerTable): Protocol<Session, Table> => {
  const address = readAddress(url, ['mysql:', 'mariadb:'], 3306);
  assertVerifiable(address, tls);
  return {
    ...tablesOf(dialect, {
      partsOf: (table) => [address.database, ...tableParts(table)].slice(-2),
      columnsOf,
      stream: (session, { text }, waiting) => rowsIn(session.stream(text), waiting),
    }),
    at: address.at,
    connect: () => connect(address, tls),
    begin,
    toSourceError: (error) => toSourceError(error, address),
    async lag({ ask }, mostSeconds = 0) {
      const rows = await ask(oldestTransaction).catch((error: unknown) => {
        if (Number(member(error, 'errno')) === mayNotLook) return [];
        throw error;
      });
      const [others, apart, seconds] = rows[0] ?? [];
      if (others !== '0') return undefined;
      return Math.max(Number(seconds), Number(apart) > 0 ? mostSeconds : 0);
    },
  };
};

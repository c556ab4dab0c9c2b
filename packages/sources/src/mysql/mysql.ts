/** Tables and views of MySQL and MariaDB. */
import { bounds } from '../bounds.ts';
import type { Protocol } from '../server/protocol.ts';
import type { ServerTable } from '../settings.ts';
import { readAddress } from '../sql/address.ts';
import type { SqlColumn } from '../sql/dialect.ts';
import { rowsIn } from '../sql/rows.ts';
import type { Named, Table } from '../sql/table.ts';
import { tableParts } from '../sql/table-name.ts';
import { tablesOf } from '../sql/tables.ts';
import { dialect } from './dialect.ts';
import { toSourceError } from './errors.ts';
import { assertVerifiable, begin, connect, type Session } from './session.ts';

const catalog = `SELECT column_name, column_type, data_type FROM information_schema.columns
WHERE table_schema = ? AND table_name = ? ORDER BY ordinal_position LIMIT ${bounds.columns}`;

const columnsOf = async ({ ask }: Session, { parts }: Named): Promise<readonly SqlColumn[] | undefined> => {
  const rows = await ask(catalog, parts);
  if (rows.length === 0) return undefined;
  return rows.map(([name, type, kind]) => ({ name: name ?? '', type: type ?? '', kind: kind ?? '' }));
};

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
  };
};

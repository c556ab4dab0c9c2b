/** Tables and views of MySQL and MariaDB. */
import { noKey, wholeKey } from '../keys.ts';
import type { Found } from '../place.ts';
import type { Protocol } from '../server/protocol.ts';
import type { ServerTable } from '../settings.ts';
import { readAddress } from '../sql/address.ts';
import { foundBy, foundIn, type Raw } from '../sql/rows.ts';
import { toSourceError } from './errors.ts';
import { readerOf } from './readers.ts';
import { assertVerifiable, begin, connect, type Session } from './session.ts';
import { estimateRows, readRows, repeatedTie, sampleRows } from './statements.ts';
import { findTable, isWhole, readTable, type Table } from './table.ts';

const keyOf =
  ({ tie }: Table) =>
  (text: string | null): string => {
    if (text === null) return noKey.first;
    return isWhole(tie) ? wholeKey(text) : text;
  };

const finderOf = (table: Table): ((raw: Raw) => Found) =>
  foundBy(
    table.columns.map((column) => [column.name, readerOf(column)]),
    table.moment ? undefined : keyOf(table),
  );

const plannedRows = (answer: string | null | undefined): number | undefined => {
  const found = /"rows(?:_produced_per_join)?"\s*:\s*(\d+)/.exec(answer ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
};

export const mysql = ({ url, tls }: ServerTable): Protocol<Session, Table> => {
  const address = readAddress(url, ['mysql:', 'mariadb:'], 3306);
  assertVerifiable(address, tls);
  return {
    at: address.at,
    connect: () => connect(address, tls),
    begin,
    toSourceError: (error) => toSourceError(error, address),
    look: (session, table) => findTable(session, table, address.database),
    find: (session, wanted) => readTable(session, wanted, address.database),
    sample: async (session, table) => (await session.ask(sampleRows(table))).map(finderOf(table)),
    repeated: async (session, table) => (await session.ask(repeatedTie(table)))[0]?.[0] ?? undefined,
    estimate: async (session, table, since) =>
      plannedRows((await session.ask(estimateRows(table, since)))[0]?.[0]),
    rows: (session, table, since, waiting) =>
      foundIn(session.stream(readRows(table, since)), finderOf(table), waiting),
  };
};

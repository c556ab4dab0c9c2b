/** Tables and views of PostgreSQL. */
import type { Protocol } from '../server/protocol.ts';
import type { ServerTable } from '../settings.ts';
import { readAddress } from '../sql/address.ts';
import { foundIn } from '../sql/rows.ts';
import { toSourceError } from './errors.ts';
import { finderOf, rowsOf, stream } from './rows.ts';
import { begin, connect, type Session, usualBeginning } from './session.ts';
import { estimateRows, oldestTransaction, readRows, repeatedTie, sampleRows } from './statements.ts';
import { findTable, readTable, type Table } from './table.ts';

const plannedRows = (answer: string | null | undefined): number | undefined => {
  const [explained]: { Plan?: { 'Plan Rows'?: unknown } }[] = JSON.parse(answer ?? '[]');
  const rows = explained?.Plan?.['Plan Rows'];
  return typeof rows === 'number' ? rows : undefined;
};

export const postgresql = ({ url, tls }: ServerTable): Protocol<Session, Table> => {
  const address = readAddress(url, ['postgresql:', 'postgres:'], 5432);
  return {
    at: address.at,
    connect: () => connect(address, tls),
    begin: (session, statementMs) => begin(session, usualBeginning('READ ONLY', statementMs)),
    toSourceError: (error) => toSourceError(error, address),
    look: ({ client }, table) => findTable(client, table),
    find: ({ client }, wanted) => readTable(client, wanted),
    sample: async (session, table) => (await rowsOf(session, sampleRows(table))).map(finderOf(table)),
    repeated: async (session, table) => (await rowsOf(session, repeatedTie(table)))[0]?.[0] ?? undefined,
    estimate: async (session, table, since) =>
      plannedRows((await rowsOf(session, estimateRows(table, since)))[0]?.[0]),
    lag: async (session) => {
      const [hidden, seconds] = (await rowsOf(session, oldestTransaction))[0] ?? [];
      return hidden === '0' ? Number(seconds) : undefined;
    },
    rows: (session, table, since, waiting) =>
      foundIn(stream(session, readRows(table, since)), finderOf(table), waiting),
  };
};

/** Tables and views of Amazon Redshift: PostgreSQL's protocol, a warehouse's statements. */
import { textOf } from '../network-errors.ts';
import { toSourceError } from '../postgresql/errors.ts';
import { rowsOf, stream } from '../postgresql/rows.ts';
import { begin, beginning, connect, type Session } from '../postgresql/session.ts';
import type { Protocol } from '../server/protocol.ts';
import type { ServerTable } from '../settings.ts';
import { readAddress } from '../sql/address.ts';
import { foundIn } from '../sql/rows.ts';
import { inWords, tooLong } from '../warehouse/errors.ts';
import { countRows, finderOf, readRows, sampleRows } from '../warehouse/statements.ts';
import {
  type Found,
  findTable,
  type Named,
  type Table,
  tableIn,
  type WarehouseColumn,
} from '../warehouse/table.ts';
import { dialect, kindOfNumber } from './dialect.ts';

interface RedshiftSession extends Session {
  readonly statementRows: number;
}

/** Redshift knows no others of those that PostgreSQL has: https://docs.aws.amazon.com/redshift/latest/dg/cm_chap_ConfigurationRef.html */
const settings = { timezone: 'UTC', datestyle: 'ISO', extra_float_digits: 2 };

/** No such table, no such schema. */
const isMissing = (error: unknown): boolean => ['42P01', '3F000'].includes(textOf(error, 'code'));

/** Its answer has the columns of tables of all kinds, also of those that no catalog has. */
const columnsBy =
  ({ client }: Session) =>
  async ({ quotedName }: Named): Promise<readonly WarehouseColumn[] | undefined> => {
    try {
      const { fields } = await client.query(`SELECT * FROM ${quotedName} LIMIT 0`);
      return fields.map(({ name, dataTypeID }) => {
        const kind = kindOfNumber(dataTypeID);
        return { name, type: kind, kind };
      });
    } catch (error) {
      if (!isMissing(error)) throw error;
      return undefined;
    }
  };

export const redshift = ({ url, tls }: ServerTable): Protocol<RedshiftSession, Table> => {
  const product = 'Redshift';
  const address = { ...readAddress(url, ['redshift:', 'postgresql:', 'postgres:'], 5439), product };
  const { at, user: who } = address;
  const look = (session: Session, table: string): Promise<Found> =>
    findTable(dialect, table, columnsBy(session));
  return {
    at,
    connect: ({ statementRows }) => ({ ...connect(address, tls), statementRows }),
    begin: (session, statementMs) => begin(session, beginning('READ ONLY', statementMs, settings)),
    toSourceError(error) {
      const told = toSourceError(error, address);
      return told.code === 'time_limit' ? inWords(tooLong, { product, at, who }) : told;
    },
    look,
    find: async (session, wanted) => tableIn(dialect, wanted, await look(session, wanted.table)),
    sample: async (session, table) =>
      (await rowsOf(session, sampleRows(dialect, table, new Date()))).map(finderOf(dialect, table)),
    estimate: async (session, table, since) =>
      Number((await rowsOf(session, countRows(dialect, table, since, new Date())))[0]?.[2]),
    async *rows(session, table, since, waiting) {
      const most = session.statementRows;
      const statement = readRows(dialect, table, { since, now: new Date(), most });
      let read = 0;
      for await (const rows of foundIn(stream(session, statement), finderOf(dialect, table), waiting)) {
        read += rows.length;
        yield rows;
      }
      if (read >= most) yield 'more';
    },
  };
};

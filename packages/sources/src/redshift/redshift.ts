/** Tables and views of Amazon Redshift: PostgreSQL's protocol, a warehouse's statements. */
import { textAt } from '../members.ts';
import { toSourceError } from '../postgresql/errors.ts';
import { begin, beginning, connect, type Session } from '../postgresql/session.ts';
import type { Protocol } from '../server/protocol.ts';
import type { ServerTable } from '../settings.ts';
import { inWords } from '../source-error.ts';
import { readAddress } from '../sql/address.ts';
import type { SqlColumn } from '../sql/dialect.ts';
import { rowsIn } from '../sql/rows.ts';
import type { Named, Table } from '../sql/table.ts';
import { tablesOf } from '../sql/tables.ts';
import { tooLong } from '../warehouse/errors.ts';
import { dialect, kindOfNumber } from './dialect.ts';

/** Redshift knows no others of those that PostgreSQL has: https://docs.aws.amazon.com/redshift/latest/dg/cm_chap_ConfigurationRef.html */
const settings = { timezone: 'UTC', datestyle: 'ISO', extra_float_digits: 2 };

/** No such table, no such schema. */
const isMissing = (error: unknown): boolean => ['42P01', '3F000'].includes(textAt(error, 'code'));

/** Its answer has the columns of tables of all kinds, also of those that no catalog has. */
const columnsOf = async (
  { client }: Session,
  { quotedName }: Named,
): Promise<readonly SqlColumn[] | undefined> => {
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

const mostRows = Number.POSITIVE_INFINITY;

export const redshift = ({ url, tls }: ServerTable): Protocol<Session, Table> => {
  const product = 'Redshift';
  const address = { ...readAddress(url, ['redshift:', 'postgresql:', 'postgres:'], 5439), product };
  const { at, user: who } = address;
  return {
    ...tablesOf(dialect, {
      columnsOf,
      stream: ({ stream }, statement, waiting) => rowsIn(stream(statement), waiting),
      mostRows,
    }),
    at,
    connect: () => connect(address, tls),
    begin: (session, statementMs) => begin(session, beginning('READ ONLY', statementMs, settings)),
    toSourceError(error) {
      const told = toSourceError(error, address);
      return told.code === 'time_limit' ? inWords(tooLong, { product, at, who }) : told;
    },
  };
};

import { bounds } from '../bounds.ts';
import { toSourceError } from '../mysql/errors.ts';
import { assertVerifiable, connect, prepare, type Session } from '../mysql/session.ts';
import type { ServerTable } from '../settings.ts';
import { readAddress } from '../sql/address.ts';
import { quotedBy, tableParts } from '../sql/table-name.ts';
import { logColumns, type Writer } from './writer.ts';

const quoted = quotedBy('`');

export const mysqlWriter = ({ url, tls, table }: ServerTable): Writer<Session> => {
  const address = readAddress(url, ['mysql:', 'mariadb:'], 3306);
  assertVerifiable(address, tls);
  const into = `INTO ${tableParts(table).map(quoted).join('.')} (${logColumns.map(quoted).join(', ')})`;
  return {
    at: address.at,
    connect: () => connect(address, tls),
    begin: (session) => prepare(session, bounds.questionMs),
    async insert({ ask }, lines, isKept) {
      const values = lines.flatMap((line) => logColumns.map((column) => line[column]));
      const rows = lines.map(() => "(?, ?, ?, ?, nullif(?, ''))").join(', ');
      await ask('START TRANSACTION');
      // What IGNORE would hide is told by a test.
      await ask(`INSERT ${isKept ? 'IGNORE ' : ''}${into} VALUES ${rows}`, values);
      await ask(isKept ? 'COMMIT' : 'ROLLBACK');
    },
    toSourceError: (error) => toSourceError(error, address),
  };
};

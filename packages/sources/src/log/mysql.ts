import { bounds } from '../bounds.ts';
import { prepare, type Session } from '../mysql/session.ts';
import { quotedBy, tableParts } from '../sql/table-name.ts';
import { logColumns, type Writer } from './writer.ts';

const quoted = quotedBy('`');

export const mysqlWriter = (table: string): Writer<Session> => {
  const into = `INTO ${tableParts(table).map(quoted).join('.')} (${logColumns.map(quoted).join(', ')})`;
  return {
    begin: (session) => prepare(session, bounds.questionMs),
    async insert({ ask }, lines, isKept) {
      const values = lines.flatMap((line) => logColumns.map((column) => line[column]));
      const rows = lines.map(() => "(?, ?, ?, ?, nullif(?, ''))").join(', ');
      await ask('START TRANSACTION');
      // What IGNORE would hide is told by a test.
      await ask(`INSERT ${isKept ? 'IGNORE ' : ''}${into} VALUES ${rows}`, values);
      await ask(isKept ? 'COMMIT' : 'ROLLBACK');
    },
  };
};

import { bounds } from '../bounds.ts';
import { join, type Session, usualBeginning } from '../postgresql/session.ts';
import { quoted, tableParts } from '../sql/table-name.ts';
import { type LogLine, logColumns, type Writer } from './writer.ts';

export const postgresqlWriter = (table: string): Writer<Session> => {
  const texts = logColumns.map((_, at) => `$${at + 1}::text[]`).join(', ');
  const text = `INSERT INTO ${tableParts(table).map(quoted).join('.')} (${logColumns.map(quoted).join(', ')})
    SELECT job, key, operation, result, nullif(reason, '') FROM unnest(${texts}) AS line(${logColumns.map(quoted).join(', ')}) ON CONFLICT DO NOTHING`;
  const valuesOf = (lines: readonly LogLine[]): string[][] =>
    logColumns.map((column) => lines.map((line) => line[column]));
  return {
    begin: join,
    insert({ client, failed }, lines, isKept) {
      const work = async (): Promise<void> => {
        await client.query(usualBeginning('READ WRITE', bounds.questionMs));
        await client.query({ text, values: valuesOf(lines) });
        await client.query(isKept ? 'COMMIT' : 'ROLLBACK');
      };
      return Promise.race([failed, work()]);
    },
  };
};

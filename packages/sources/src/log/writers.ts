/** What each server adds to a log: how lines are written into a table of it. */
import { MongoBulkWriteError } from 'mongodb';
import { bounds } from '../bounds.ts';
import type { Session as MongodbSession } from '../mongodb/session.ts';
import { type Session as MysqlSession, prepare } from '../mysql/session.ts';
import { join, type Session as PostgresqlSession, usualBeginning } from '../postgresql/session.ts';
import type { Session } from '../server/protocol.ts';
import { quoted, quotedBy, tableParts } from '../sql/table-name.ts';

/** The columns of the table, all of them texts. */
const logColumns = ['job', 'key', 'operation', 'result', 'reason'] as const;

export type LogLine = Readonly<Record<(typeof logColumns)[number], string>>;

export interface Writer<S extends Session> {
  begin(session: S): Promise<unknown>;
  /** In one transaction, which is rolled back unless the lines are to be kept. An empty reason is null. */
  insert(session: S, lines: readonly LogLine[], isKept: boolean): Promise<unknown>;
}

/** The code of an error. */
const isThere = 11_000;

/** Without one, only the `_id` tells lines apart: no index has to be made. */
const documentOf = ({ reason, ...line }: LogLine) => ({
  _id: { job: line.job, key: line.key, result: line.result },
  ...line,
  reason: reason === '' ? null : reason,
  logged_at: new Date(),
});

/** Throws what is wrong besides lines that are there already. */
const unlessThere = (error: unknown): void => {
  const wrong = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
  const other = wrong.find(({ code }) => code !== isThere);
  if (other || wrong.length === 0) throw other ?? error;
};

export const mongodbWriter = (table: string): Writer<MongodbSession> => ({
  begin: ({ connected }) => connected(),
  async insert({ db, maxTimeMS }, lines, isKept) {
    const [log, documents] = [db.collection<ReturnType<typeof documentOf>>(table), lines.map(documentOf)];
    if (isKept)
      return log
        .insertMany(documents, { maxTimeMS, ordered: false, writeConcern: { w: 'majority' } })
        .catch(unlessThere);
    return db.client.withSession(async (session) => {
      session.startTransaction();
      await log.insertMany(documents, { session });
      await session.abortTransaction();
    });
  },
});

const inBackquotes = quotedBy('`');

export const mysqlWriter = (table: string): Writer<MysqlSession> => {
  const into = `INTO ${tableParts(table).map(inBackquotes).join('.')} (${logColumns.map(inBackquotes).join(', ')})`;
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

export const postgresqlWriter = (table: string): Writer<PostgresqlSession> => {
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

/** Writes what became of rows into a table of the server that they were read from, by a connection of its own. */

import { bounds, type Limits } from '../bounds.ts';
import { member } from '../members.ts';
import { mongodb } from '../mongodb/mongodb.ts';
import { mysql } from '../mysql/mysql.ts';
import { postgresql } from '../postgresql/postgresql.ts';
import { type Protocol, type Session, type WithColumns, within } from '../server/protocol.ts';
import type { ServerTable } from '../settings.ts';
import { bad, SourceError, type SourceErrorCode } from '../source-error.ts';
import { type LogLine, mongodbWriter, mysqlWriter, postgresqlWriter, type Writer } from './writers.ts';

/** Of one statement, and the characters of a reason: half a megabyte at most. */
const most = { lines: 200, reason: 500 };

const needed = 'it needs job, key, operation, result and reason';

type Words = readonly [code: SourceErrorCode, says: string];

const mayNot: Words = ['access_denied', 'the user may not insert into it'];
const noTable: Words = ['table_missing', 'there is no such table'];
const noColumn: Words = ['column_missing', `a column is missing: ${needed}`];
const noDefault: Words = ['bad_settings', 'it has another column that needs a value'];
const readsOnly: Words = ['bad_settings', 'the server only reads'];

const byCode: Readonly<Record<string, Words>> = {
  '42501': mayNot,
  '42P01': noTable,
  '42703': noColumn,
  '42804': ['wrong_type', `a column can't hold texts: ${needed}, as texts`],
  '23502': noDefault,
  '25006': readsOnly,
  // https://www.mongodb.com/docs/manual/reference/error-codes/
  13: mayNot,
  20: ['bad_settings', 'only a replica set or a sharded cluster can take a log'],
  121: ['bad_settings', 'the validator of the collection refuses it'],
  166: ['bad_settings', 'it is a view'],
  10107: readsOnly,
  ER_TABLEACCESS_DENIED_ERROR: mayNot,
  ER_COLUMNACCESS_DENIED_ERROR: mayNot,
  ER_NO_SUCH_TABLE: noTable,
  ER_BAD_FIELD_ERROR: noColumn,
  ER_NO_DEFAULT_FOR_FIELD: noDefault,
  ER_OPTION_PREVENTS_STATEMENT: readsOnly,
};

const shown = (line: LogLine): LogLine => ({
  ...line,
  // PostgreSQL takes no zero byte.
  key: line.key.replaceAll('\0', ''),
  reason: line.reason.replaceAll('\0', '').slice(0, most.reason),
});

const createLog = <S extends Session>(
  { at, connect, toSourceError }: Pick<Protocol<S, WithColumns>, 'at' | 'connect' | 'toSourceError'>,
  { begin, insert }: Writer<S>,
  table: string,
  limits: Limits,
) => {
  const { connectMs, questionMs } = limits;
  let session: S | undefined;

  const close = (): void => {
    session?.drop();
    session = undefined;
  };

  const opened = async (): Promise<S> => {
    const made = connect({ ...limits, statementMs: questionMs });
    await within(connectMs, at, made, () => begin(made));
    return made;
  };

  const errorOf = (error: unknown): SourceError => {
    const [code, words] = byCode[String(member(error, 'code'))] ?? [];
    const known = toSourceError(error);
    return new SourceError(
      code ?? known.code,
      `the log ${table} can't be written: ${words ?? known.message}`,
    );
  };

  const put = async (lines: readonly LogLine[], isKept: boolean): Promise<void> => {
    try {
      const open = session ?? (await opened());
      session = open;
      await within(questionMs, at, open, () => insert(open, lines, isKept));
    } catch (error) {
      close();
      throw errorOf(error);
    }
  };

  /** The server may have ended a connection that was open for long. */
  const putAgain = async (lines: readonly LogLine[]): Promise<void> => {
    const isOld = session !== undefined;
    try {
      await put(lines, true);
    } catch (error) {
      if (!isOld || !(error instanceof SourceError) || error.kind !== 'passing') throw error;
      await put(lines, true);
    }
  };

  return {
    /** Throws, in words, what has to change before lines can be written. Writes a line and takes it back. */
    test: () =>
      put([{ job: 'test', key: 'test', operation: 'test', result: 'failed', reason: 'test' }], false),
    /** Leaves out lines that are there already, where the table has a primary key. */
    async write(lines: readonly LogLine[]): Promise<void> {
      for (let at = 0; at < lines.length; at += most.lines)
        await putAgain(lines.slice(at, at + most.lines).map(shown));
    },
    close,
  };
};

/** Opens no connection yet. Throws a `SourceError` for settings that can't be right. */
export const openLog = (where: ServerTable, limits: Partial<Limits> = {}) => {
  const { kind, table } = where;
  const all = { ...bounds, ...limits };
  if (kind === 'postgresql') return createLog(postgresql(where), postgresqlWriter(table), table, all);
  if (kind === 'mongodb') return createLog(mongodb(where), mongodbWriter(table), table, all);
  if (kind === 'mysql') return createLog(mysql(where), mysqlWriter(table), table, all);
  throw bad(`a log can't be written into a source of kind ${kind}`);
};

export type RowLog = ReturnType<typeof openLog>;

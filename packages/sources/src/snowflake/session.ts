/** Statements of Snowflake: begun, waited for, and read partition by partition. */
import { listOf, member, textRows } from '../http/json.ts';
import type { SnowflakeSettings } from '../settings.ts';
import { SourceError } from '../source-error.ts';
import { createPolling } from '../warehouse/polled.ts';
import type { Session } from '../warehouse/session.ts';
import type { Statement } from '../warehouse/statements.ts';
import type { WarehouseColumn } from '../warehouse/table.ts';
import { ask, type Way } from './ask.ts';
import { positional } from './dialect.ts';

/** The least that Snowflake allows. */
const partMegabytes = 48;

const columnOf = (type: unknown): WarehouseColumn => {
  const kind = String(member(type, 'type')).toUpperCase();
  return { name: String(member(type, 'name')), type: kind, kind };
};

const isGone = (error: unknown): boolean => error instanceof SourceError && error.code === 'table_missing';

const pathOf = (handle: string): string => `/${encodeURIComponent(handle)}`;

type Where = Pick<SnowflakeSettings, 'warehouse' | 'role' | 'database' | 'schema'>;

const beginBy =
  ({ warehouse, role, database, schema }: Where, way: Way) =>
  async ({ text, values }: Statement, ms: number, signal: AbortSignal): Promise<string> => {
    const { statement, bound } = positional(text, values);
    const bindings = Object.fromEntries(bound.map((value, at) => [at + 1, { type: 'TEXT', value }]));
    const parameters = { TIMEZONE: 'UTC', CLIENT_RESULT_CHUNK_SIZE: partMegabytes };
    const timeout = Math.max(1, Math.ceil(ms / 1000));
    const body = { statement, timeout, bindings, parameters, warehouse, role, database, schema };
    const { value } = await ask({ path: '?async=true', body, signal }, way);
    return String(member(value, 'statementHandle'));
  };

export const createSession = (where: Where, way: Way): Session => {
  const polling = createPolling({
    begin: beginBy(where, way),
    async result(handle, signal) {
      const { value, isRunning } = await ask({ path: pathOf(handle), signal }, way);
      return isRunning ? undefined : value;
    },
    cancel: (handle, signal) => ask({ path: `${pathOf(handle)}/cancel`, body: {}, signal }, way),
  });

  /** The first part of the result says how many parts there are. */
  async function* parts(statement: Statement, ms: number, signal: AbortSignal) {
    const { id, first } = await polling.run(statement, ms, signal);
    yield first;
    const { length } = listOf(member(member(first, 'resultSetMetaData'), 'partitionInfo'));
    for (let part = 1; part < length; part += 1)
      yield (await ask({ path: `${pathOf(id)}?partition=${part}`, signal }, way)).value;
  }

  return {
    async columns({ quotedName }, signal) {
      const statement = { text: `SELECT * FROM ${quotedName} LIMIT 0`, values: [] };
      try {
        for await (const first of parts(statement, way.limits.questionMs, signal))
          return listOf(member(member(first, 'resultSetMetaData'), 'rowType')).map(columnOf);
        return undefined;
      } catch (error) {
        if (isGone(error)) return undefined;
        throw error;
      }
    },
    async *rows(statement, ms, signal) {
      for await (const part of parts(statement, ms, signal)) {
        const rows = textRows(member(part, 'data'));
        if (rows.length > 0) yield rows;
      }
    },
    close: polling.close,
  };
};

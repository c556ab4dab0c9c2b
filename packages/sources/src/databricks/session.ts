/** Statements of Databricks by its SQL Statement Execution API: https://docs.databricks.com/api/workspace/statementexecution */
import { exchangeJson, listOf, member, textRows } from '../http/json.ts';
import type { DatabricksSettings } from '../settings.ts';
import { SourceError } from '../source-error.ts';
import { createPolling } from '../warehouse/polled.ts';
import type { Session } from '../warehouse/session.ts';
import type { Statement } from '../warehouse/statements.ts';
import type { WarehouseColumn } from '../warehouse/table.ts';
import type { Authorize, Road } from './credentials.ts';
import { kindOfType } from './dialect.ts';
import { failure, noWarehouse, refusal } from './errors.ts';

export interface Way extends Road {
  readonly authorize: Authorize;
}

interface Request {
  readonly path: string;
  readonly body?: object;
  readonly signal: AbortSignal;
}

/** Databricks ends a statement with a larger result than 25 MiB, but cuts a result that has a limit. */
const resultBytes = 16_777_216;

const ask = async ({ path, body, signal }: Request, way: Way): Promise<unknown> => {
  const { endpoint, authorize, place, tls, limits } = way;
  const { status, value } = await exchangeJson({
    url: new URL(`/api/2.0/sql/statements${path}`, endpoint),
    method: body ? 'POST' : 'GET',
    headers: { ...(await authorize(signal)), 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    tls,
    mostBytes: limits.answerBytes,
    limits,
    signal,
  });
  if (status === 200 && value !== undefined) return value;
  const code = String(member(value, 'error_code') ?? '');
  const isOfWarehouse = path === '/' && [400, 404].includes(status) && code !== '';
  throw isOfWarehouse ? noWarehouse() : refusal(status, code, place);
};

const columnOf = (column: unknown): WarehouseColumn => {
  const type = String(member(column, 'type_text'));
  return { name: String(member(column, 'name')), type, kind: kindOfType(type) };
};

const foreign = (at: string): SourceError =>
  new SourceError('not_this_protocol', `${at} sends parts of a result that do not fit together`);

const isGone = (error: unknown): boolean => error instanceof SourceError && error.code === 'table_missing';

const pathOf = (id: string): string => `/${encodeURIComponent(id)}`;

type Where = Pick<DatabricksSettings, 'warehouse' | 'catalog' | 'schema'>;

const bodyOf = ({ text, values }: Statement, { warehouse, catalog, schema }: Where) => ({
  statement: text,
  parameters: values.map((value, at) => ({ name: `p${at + 1}`, value, type: 'STRING' })),
  warehouse_id: warehouse,
  catalog,
  schema,
  wait_timeout: '0s',
  on_wait_timeout: 'CONTINUE',
  disposition: 'INLINE',
  format: 'JSON_ARRAY',
  byte_limit: resultBytes,
});

const pollingOf = (where: Where, way: Way) =>
  createPolling({
    async begin(statement, _, signal) {
      const value = await ask({ path: '/', body: bodyOf(statement, where), signal }, way);
      const id = member(value, 'statement_id');
      if (typeof id !== 'string') throw refusal(200, '', way.place);
      return id;
    },
    async result(id, signal) {
      const value = await ask({ path: pathOf(id), signal }, way);
      const status = member(value, 'status');
      const state = String(member(status, 'state'));
      if (['PENDING', 'RUNNING'].includes(state)) return undefined;
      if (state === 'SUCCEEDED') return value;
      throw failure(String(member(member(status, 'error'), 'message') ?? `[${state}]`), way.place);
    },
    cancel: (id, signal) => ask({ path: `${pathOf(id)}/cancel`, body: {}, signal }, way),
  });

export const createSession = (where: Where, way: Way): Session => {
  const polling = pollingOf(where, way);

  async function* chunks(id: string, first: unknown, signal: AbortSignal) {
    const count = Number(member(member(first, 'manifest'), 'total_chunk_count') ?? 0);
    yield member(first, 'result');
    for (let at = 1; at < count; at += 1)
      yield await ask({ path: `${pathOf(id)}/result/chunks/${at}`, signal }, way);
  }

  return {
    async columns({ quotedName }, signal) {
      const statement = { text: `SELECT * FROM ${quotedName} LIMIT 0`, values: [] };
      try {
        const { first } = await polling.run(statement, way.limits.questionMs, signal);
        return listOf(member(member(member(first, 'manifest'), 'schema'), 'columns')).map(columnOf);
      } catch (error) {
        if (isGone(error)) return undefined;
        throw error;
      }
    },
    async *rows(statement, ms, signal) {
      const { id, first } = await polling.run(statement, ms, signal);
      const manifest = member(first, 'manifest');
      const isCut = member(manifest, 'truncated') === true;
      let read = 0;
      for await (const chunk of chunks(id, first, signal)) {
        const rows = textRows(member(chunk, 'data_array'));
        if (rows.length === 0) break;
        if (Number(member(chunk, 'row_offset') ?? 0) !== read) throw foreign(way.place.at);
        read += rows.length;
        yield rows;
      }
      if (isCut ? read === 0 : Number(member(manifest, 'total_row_count') ?? 0) !== read)
        throw foreign(way.place.at);
      if (isCut) yield 'more';
    },
    close: polling.close,
  };
};

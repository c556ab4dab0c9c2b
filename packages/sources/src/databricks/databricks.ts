/** Tables and views of Databricks, by its SQL Statement Execution API: https://docs.databricks.com/api/workspace/statementexecution */
import { endpointOf } from '../http/exchange.ts';
import { listAt, member, textAt } from '../members.ts';
import type { DatabricksTable } from '../settings.ts';
import type { Words } from '../source-error.ts';
import type { SqlColumn } from '../sql/dialect.ts';
import { columnGone, type Dictionary, mayNotRead, type Place, tableGone } from '../warehouse/errors.ts';
import { type Service, type State, textRows } from '../warehouse/service.ts';
import { dialect, kindOfType } from './dialect.ts';

const noWarehouse: Words<Place> = [
  'bad_settings',
  () => 'the workspace has no SQL warehouse of this id, or no such catalog or schema',
];

const endedThere: Words<Place> = [
  'server_error',
  ({ product }) =>
    `${product} has ended the statement without a reason: the history of its queries may have one`,
];

/** https://docs.databricks.com/aws/en/error-messages/error-classes, the states of statements, and the codes of the interface. */
const words: Dictionary = {
  TABLE_OR_VIEW_NOT_FOUND: tableGone,
  SCHEMA_NOT_FOUND: tableGone,
  NO_SUCH_CATALOG_EXCEPTION: tableGone,
  CATALOG_NOT_FOUND: tableGone,
  UNRESOLVED_COLUMN: columnGone,
  INSUFFICIENT_PERMISSIONS: mayNotRead,
  INVALID_PARAMETER_VALUE: noWarehouse,
  BAD_REQUEST: noWarehouse,
  RESOURCE_DOES_NOT_EXIST: noWarehouse,
  FAILED: endedThere,
  CANCELED: endedThere,
  CLOSED: endedThere,
  NOT_FOUND: ['server_error', ({ at }) => `${at} no longer has the result of the statement`],
};

/** A result larger than 25 MiB ends its statement, but one with a limit is cut. */
const resultBytes = 16_777_216;
/** A result has a few bytes: more rows would be sorted for nothing. */
const mostRows = 100_000;

/** Of a statement that failed: `[UNRESOLVED_COLUMN.WITH_SUGGESTION] ...`. */
const classOf = (message: string): string => /^\[([A-Z][A-Z0-9_]{0,80})[\].]/.exec(message)?.[1] ?? '';

const stateOf = (answer: unknown): State => {
  const state = textAt(answer, 'status.state');
  if (state === 'PENDING' || state === 'RUNNING') return 'running';
  return state === 'SUCCEEDED'
    ? 'done'
    : { failed: classOf(textAt(answer, 'status.error.message')) || state };
};

const columnOf = (column: unknown): SqlColumn => {
  const type = textAt(column, 'type_text');
  return { name: textAt(column, 'name'), type, kind: kindOfType(type) };
};

/** The first part stands in the result of the statement, the others by themselves. */
const partOf = (answer: unknown): unknown => member(answer, 'result') ?? answer;

const path = (handle: string, rest = ''): string =>
  `/api/2.0/sql/statements/${encodeURIComponent(handle)}${rest}`;

export const databricks = ({
  endpoint,
  warehouse,
  token,
  catalog,
  schema,
  tls,
}: DatabricksTable): Service => {
  const url = endpointOf(endpoint, tls);
  return {
    place: { product: 'Databricks', at: url.host, who: 'the owner of the token' },
    endpoint: url,
    tls,
    dialect,
    mostRows,
    headers: () => ({ authorization: `Bearer ${token.trim()}` }),
    words,
    codeOf: (refused) => textAt(refused, 'error_code'),
    begin: ({ text, values }) => ({
      path: path(''),
      body: {
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
      },
    }),
    handleOf: (begun) => textAt(begun, 'statement_id'),
    result: (handle) => ({ path: path(handle) }),
    stateOf,
    cancel: (handle) => ({ path: path(handle, '/cancel'), body: {} }),
    rowsOf: (answer) => textRows(partOf(answer), 'data_array'),
    next({ handle, answer }) {
      const next = member(partOf(answer), 'next_chunk_index');
      return typeof next === 'number' ? { path: path(handle, `/result/chunks/${next}`) } : undefined;
    },
    totalOf: (first) =>
      member(first, 'manifest.truncated') === true
        ? undefined
        : Number(member(first, 'manifest.total_row_count') ?? 0),
    columnsOf: (answer) => listAt(answer, 'manifest.schema.columns').map(columnOf),
  };
};

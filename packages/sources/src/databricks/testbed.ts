/**
 * A double of Databricks' SQL Statement Execution API (https://docs.databricks.com/api/workspace/statementexecution): it refuses what Databricks would
 * refuse as far as its documentation says so, and runs statements on PostgreSQL.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Asked, columnsIn, type Engine, openEngine, serve } from '../warehouse/testbed.ts';

const words = `
  CREATE DOMAIN string AS text; CREATE DOMAIN timestamp_ntz AS timestamp;
  CREATE FUNCTION named_struct(text, anyelement) RETURNS anyelement LANGUAGE sql AS $$ SELECT $2 $$;
  CREATE FUNCTION map(VARIADIC text[]) RETURNS text[] LANGUAGE sql AS $$ SELECT $1 $$;
  CREATE FUNCTION spark_format(text[], text) RETURNS text LANGUAGE sql AS $$
    SELECT CASE WHEN $1[array_position($1, 'timeZone') + 1] = 'UTC' AND $1[array_position($1, $2) + 1] = 'yyyy-MM-dd''T''HH:mm:ss.SSSSSS''Z'''
      THEN 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"' END $$;
  CREATE FUNCTION to_csv(timestamptz, text[]) RETURNS text LANGUAGE sql AS $$ SELECT to_char($1 AT TIME ZONE 'UTC', spark_format($2, 'timestampFormat')) $$;
  CREATE FUNCTION to_csv(timestamp, text[]) RETURNS text LANGUAGE sql AS $$ SELECT to_char($1, spark_format($2, 'timestampNTZFormat')) $$;
  CREATE FUNCTION to_json(jsonb, text[]) RETURNS text LANGUAGE sql AS $$ 
    SELECT $1::text WHERE spark_format($2, 'timestampFormat') = spark_format($2, 'timestampNTZFormat') AND $2[array_position($2, 'ignoreNullFields') + 1] = 'false' $$;
  CREATE FUNCTION hex(bytea) RETURNS text LANGUAGE sql AS $$ SELECT upper(encode($1, 'hex')) $$;`;

const types: Readonly<Record<string, string>> = {
  text: 'STRING',
  character: 'STRING COLLATE UTF8_LCASE',
  smallint: 'SMALLINT',
  bigint: 'BIGINT',
  numeric: 'DECIMAL(38,2)',
  'double precision': 'DOUBLE',
  boolean: 'BOOLEAN',
  'timestamp with time zone': 'TIMESTAMP',
  'timestamp without time zone': 'TIMESTAMP_NTZ',
  date: 'DATE',
  bytea: 'BINARY',
  jsonb: 'STRUCT<a: ARRAY<STRING>>',
  interval: 'INTERVAL DAY TO SECOND',
};

class Refusal extends Error {
  readonly answer: Answer;
  constructor(status: number, code: string) {
    super('refused');
    this.answer = [status, { error_code: code, message: 'a text that may hold a value of a row' }];
  }
}

const assertThat = (holds: boolean): void => {
  if (!holds) throw new Refusal(400, 'MALFORMED_REQUEST');
};

export const token = 'a-personal-token';
export const principal = { clientId: 'client-1', clientSecret: 'a-secret' };

/** Names in backquotes, and each `:p1` is the value of its place. */
const translated = (text: string): string =>
  text
    .replaceAll(String.raw`\'`, "''")
    .replaceAll(/`((?:[^`]|``)*)`|:p(\d+)/g, (_, name: string | undefined, place: string) =>
      name === undefined ? `$${place}` : `"${name.replaceAll('``', '`').replaceAll('"', '""')}"`,
    )
    .replaceAll('AS TIMESTAMP)', 'AS TIMESTAMPTZ)');

type Rows = (string | null)[][];

interface Result {
  readonly columns: readonly object[];
  readonly rows: Rows;
  readonly isCut: boolean;
  readonly failure?: string;
  polls: number;
}

const chunkRows = 250;

const classes: Readonly<Record<string, string>> = {
  '42P01': '[TABLE_OR_VIEW_NOT_FOUND]',
  '42703': '[UNRESOLVED_COLUMN.WITH_SUGGESTION]',
};

const failed = (message: string): Result => ({
  columns: [],
  rows: [],
  isCut: false,
  failure: message,
  polls: 0,
});

/** The first rows that fit. */
const cutAt = (rows: Rows, bytes: number): Rows => {
  let left = bytes;
  const most = rows.findIndex((row) => {
    left -= Buffer.byteLength(row.join(''));
    return left < 0;
  });
  return most < 0 ? rows : rows.slice(0, most);
};

const run = async (
  engine: Engine,
  statement: string,
  values: readonly string[],
  bytes: number,
): Promise<Result> => {
  const described = /^SELECT \* FROM (.+) LIMIT 0$/.exec(statement);
  if (described) {
    const columns = await columnsIn(engine, translated(described[1] ?? '')).catch(() => undefined);
    if (!columns) return failed('[TABLE_OR_VIEW_NOT_FOUND] the table or view s3cret cannot be found');
    const named = columns.map(({ name, type }) => ({ name, type_text: types[type] }));
    return { columns: named, rows: [], isCut: false, polls: 0 };
  }
  try {
    const all = await engine.run(translated(statement), values, 5_000);
    const rows = cutAt(all, bytes);
    return { columns: [], rows, isCut: rows.length < all.length, polls: 0 };
  } catch (error) {
    const name = classes[String(Reflect.get(Object(error), 'code'))] ?? '[INTERNAL_ERROR]';
    return failed(`${name} s3cret ${error}`);
  }
};

const chunkOf = ({ rows }: Result, at: number) => {
  const data_array = rows.slice(at * chunkRows, (at + 1) * chunkRows);
  return { chunk_index: at, row_offset: at * chunkRows, row_count: data_array.length, data_array };
};

const manifestOf = ({ columns, rows, isCut }: Result, lostChunks: number) => ({
  format: 'JSON_ARRAY',
  schema: { column_count: columns.length, columns },
  total_chunk_count: Math.ceil(rows.length / chunkRows) - lostChunks,
  total_row_count: rows.length,
  truncated: isCut,
});

/** https://docs.databricks.com/aws/en/dev-tools/auth/oauth-m2m */
const createTokens = () => {
  const given = new Set<string>();
  const state = { seconds: 3_600 };
  const give = ({ method, headers, body }: Asked): Answer => {
    const { clientId, clientSecret } = principal;
    const right = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    const form = Object.fromEntries(new URLSearchParams(body.toString()));
    assertThat(method === 'POST' && form.grant_type === 'client_credentials' && form.scope === 'all-apis');
    if (headers.authorization !== right) return [400, { error: 'invalid_client' }];
    given.add(`oauth-${given.size}`);
    return [
      200,
      { access_token: `oauth-${given.size - 1}`, token_type: 'Bearer', expires_in: state.seconds },
    ];
  };
  const isLetIn = ({ headers }: Asked): boolean => {
    const shown = (headers.authorization ?? '').replace('Bearer ', '');
    return shown === token || given.has(shown);
  };
  return { give, isLetIn, given, state };
};

/** While `isHeld`, no statement has a result; the answer to its beginning takes `beginMs`. */
const usual = {
  isHeld: false,
  begun: 0,
  beginMs: 0,
  resultBytes: 16_777_216,
  isGone: false,
  skipped: 0,
  lostChunks: 0,
  endsAs: '',
};

const stateOf = (id: string, result: Result, { isHeld, endsAs, lostChunks }: typeof usual): object => {
  result.polls += 1;
  if (isHeld) return { statement_id: id, status: { state: 'PENDING' } };
  if (result.polls < 2) return { statement_id: id, status: { state: 'RUNNING' } };
  if (endsAs) return { status: { state: endsAs } };
  if (result.failure)
    return { status: { state: 'FAILED', error: { error_code: 'BAD_REQUEST', message: result.failure } } };
  const first = result.rows.length > 0 ? chunkOf(result, 0) : { chunk_index: 0 };
  return { status: { state: 'SUCCEEDED' }, manifest: manifestOf(result, lostChunks), result: first };
};

const createDatabricks = (engine: Engine) => {
  const results = new Map<string, Result>();
  const cancelled: string[] = [];
  const tokens = createTokens();
  const state = { ...usual };

  const begin = async ({ body }: Asked): Promise<Answer> => {
    const asked = JSON.parse(body.toString());
    assertThat(/^SELECT /.test(asked.statement) && asked.wait_timeout === '0s');
    assertThat(
      asked.disposition === 'INLINE' && asked.format === 'JSON_ARRAY' && asked.byte_limit < 26_214_400,
    );
    if (asked.warehouse_id !== 'w1') throw new Refusal(400, 'INVALID_PARAMETER_VALUE');
    const parameters: { name: string; value: string; type: string }[] = asked.parameters;
    assertThat(parameters.every(({ name, type }, at) => name === `p${at + 1}` && type === 'STRING'));
    const values = parameters.map(({ value }) => value);
    const id = `statement-${results.size}`;
    results.set(
      id,
      await run(engine, asked.statement, values, Math.min(state.resultBytes, asked.byte_limit)),
    );
    state.begun += 1;
    await sleep(state.beginMs);
    return [200, { statement_id: id, status: { state: 'PENDING' } }];
  };
  const find = (id: string): Result => {
    const result = results.get(id);
    if (!result) throw new Refusal(404, 'NOT_FOUND');
    return result;
  };
  const chunk = (id: string, at: number): Answer => {
    if (state.isGone) throw new Refusal(404, 'NOT_FOUND');
    return [200, chunkOf(find(id), at + state.skipped), true];
  };
  const paths = /^\/api\/2\.0\/sql\/statements\/(?:([^/]+)(?:\/(cancel|result\/chunks\/(\d+)))?)?$/;
  const answer = async (asked: Asked): Promise<Answer> => {
    try {
      if (asked.url.pathname === '/oidc/v1/token') return tokens.give(asked);
      if (!tokens.isLetIn(asked)) throw new Refusal(403, 'PERMISSION_DENIED');
      const [path, id, verb, at] = paths.exec(asked.url.pathname) ?? [];
      assertThat(path !== undefined);
      if (id === undefined) return await begin(asked);
      if (verb === undefined) return [200, stateOf(id, find(id), state)];
      if (at !== undefined) return chunk(id, Number(at));
      cancelled.push(id);
      return [200, {}];
    } catch (failure) {
      if (failure instanceof Refusal) return failure.answer;
      throw failure;
    }
  };
  return { answer, cancelled, state, tokens };
};

export const startDatabricks = async (databaseUrl: string) => {
  const engine = await openEngine(databaseUrl, words);
  const { answer, cancelled, state, tokens } = createDatabricks(engine);
  const server = await serve(answer);
  return {
    engine,
    cancelled,
    state,
    tokens,
    endpoint: server.endpoint,
    async close() {
      await server.close();
      await engine.close();
    },
  };
};

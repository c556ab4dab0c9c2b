/**
 * A double of Snowflake's SQL interface (https://docs.snowflake.com/en/developer-guide/sql-api/reference): it refuses what Snowflake would refuse as far
 * as its documentation says so, and runs statements on PostgreSQL.
 */
import { createHash, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Asked, columnsIn, type Engine, openEngine, serve } from '../warehouse/testbed.ts';

const words = `
  CREATE FUNCTION snowflake_format(text) RETURNS text LANGUAGE sql AS $$ SELECT replace($1, 'SS.FF9"Z"', 'SS.US"000Z"') $$;
  CREATE FUNCTION to_varchar(anyelement) RETURNS text LANGUAGE sql AS $$ SELECT $1::text $$;
  CREATE FUNCTION to_varchar(timestamp, text) RETURNS text LANGUAGE sql AS $$ SELECT to_char($1, snowflake_format($2)) $$;
  CREATE FUNCTION to_varchar(date, text) RETURNS text LANGUAGE sql AS $$ SELECT to_char($1, $2) $$;
  CREATE FUNCTION convert_timezone(text, timestamptz) RETURNS timestamp LANGUAGE sql AS $$ SELECT $2 AT TIME ZONE $1 $$;
  CREATE FUNCTION to_timestamp_ntz(text, text) RETURNS timestamp LANGUAGE sql IMMUTABLE AS $$ SELECT $1::timestamp $$;
  CREATE FUNCTION to_timestamp_tz(text, text) RETURNS timestamptz LANGUAGE sql AS $$ SELECT $1::timestamptz $$;
  CREATE FUNCTION to_number(text, int, int) RETURNS numeric LANGUAGE sql AS $$ SELECT $1::numeric(38, 10) $$;
  CREATE FUNCTION hex_encode(bytea) RETURNS text LANGUAGE sql AS $$ SELECT upper(encode($1, 'hex')) $$;
  CREATE FUNCTION snowflake_json(jsonb) RETURNS text LANGUAGE sql AS $$ SELECT $1::text $$;`;

const types: Readonly<Record<string, string>> = {
  text: 'text',
  bigint: 'fixed',
  numeric: 'fixed',
  'double precision': 'real',
  boolean: 'boolean',
  'timestamp with time zone': 'timestamp_tz',
  'timestamp without time zone': 'timestamp_ntz',
  date: 'date',
  bytea: 'binary',
  jsonb: 'variant',
};

class Refusal extends Error {
  readonly answer: Answer;
  constructor(status: number, code: string) {
    super('refused');
    this.answer = [status, { code, message: 'a text that may hold a value of a row' }];
  }
}

const assertThat = (holds: boolean): void => {
  if (!holds) throw new Refusal(400, '391902');
};

const fingerprint = (key: KeyObject): string =>
  `SHA256:${createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64')}`;

export const token = 'a-programmatic-token';

/** https://docs.snowflake.com/en/developer-guide/sql-api/authenticating */
const isLetIn = ({ headers }: Asked, key: KeyObject): boolean => {
  const shown = (headers.authorization ?? '').replace('Bearer ', '');
  const kind = headers['x-snowflake-authorization-token-type'];
  if (kind === 'PROGRAMMATIC_ACCESS_TOKEN') return shown === token;
  const [head = '', claims = '', signature = ''] = shown.split('.');
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url')))
    return false;
  const { iss, sub, exp, iat } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const isFresh = exp - iat <= 3_600 && Math.abs(Date.now() / 1000 - iat) < 60;
  return (
    kind === 'KEYPAIR_JWT' && sub === 'SHOP-MAIN.ROSTER' && iss === `${sub}.${fingerprint(key)}` && isFresh
  );
};

/** Each `?` is the next value. */
const translated = (text: string): string => {
  let place = 0;
  return text
    .replaceAll('TO_JSON(', 'snowflake_json(')
    .replaceAll(/"(?:[^"]|"")*"|'[^']*'|\?/g, (found) => (found === '?' ? `$${++place}` : found));
};

interface Result {
  readonly rowType: readonly object[];
  readonly parts: readonly (string | null)[][][];
  polls: number;
}

const partRows = 250;

const partsOf = (rows: (string | null)[][]): (string | null)[][][] =>
  Array.from({ length: Math.max(1, Math.ceil(rows.length / partRows)) }, (_, at) =>
    rows.slice(at * partRows, (at + 1) * partRows),
  );

const codes: Readonly<Record<string, string>> = { '57014': '000630', '42P01': '002003', '42703': '000904' };

const run = async (
  engine: Engine,
  statement: string,
  bound: readonly string[],
  seconds: number,
): Promise<Result> => {
  const described = /^SELECT \* FROM (.+) LIMIT 0$/.exec(statement);
  if (described) {
    const columns = await columnsIn(engine, described[1] ?? '').catch(() => undefined);
    if (!columns) throw new Refusal(422, '002003');
    return { rowType: columns.map(({ name, type }) => ({ name, type: types[type] })), parts: [[]], polls: 0 };
  }
  try {
    // Its seconds are whole ones: too long for tests.
    const rows = await engine.run(translated(statement), bound, seconds * 300);
    return { rowType: [], parts: partsOf(rows), polls: 0 };
  } catch (failure) {
    const code = codes[String(Reflect.get(Object(failure), 'code'))] ?? '001003';
    throw new Refusal(code === '000630' ? 408 : 422, code);
  }
};

const createSnowflake = (engine: Engine, publicKey: KeyObject) => {
  const results = new Map<string, Result>();
  const cancelled: string[] = [];
  /** While `isHeld`, no statement has a result; the answer to its beginning takes `beginMs`. */
  const state = { isHeld: false, begun: 0, beginMs: 0 };

  const begin = async ({ body, url }: Asked): Promise<Answer> => {
    const { statement, timeout, bindings, parameters, warehouse } = JSON.parse(body.toString());
    assertThat(url.searchParams.get('async') === 'true' && /^SELECT /.test(statement));
    assertThat(Number.isInteger(timeout) && timeout > 0 && parameters.TIMEZONE === 'UTC');
    if (warehouse !== 'READING') throw new Refusal(422, '000606');
    const bound: { type: string; value: string }[] = Object.values(bindings);
    assertThat(bound.every(({ type }) => type === 'TEXT'));
    const statementHandle = `handle-${results.size}`;
    const values = bound.map(({ value }) => value);
    results.set(statementHandle, await run(engine, statement, values, timeout));
    state.begun += 1;
    await sleep(state.beginMs);
    return [202, { code: '333334', statementHandle }];
  };
  const part = (handle: string, at: number): Answer => {
    const result = results.get(handle);
    if (!result) throw new Refusal(404, '391404');
    result.polls += 1;
    if (state.isHeld || result.polls === 1) return [202, { code: '333334', statementHandle: handle }];
    const partitionInfo = result.parts.map((rows) => ({ rowCount: rows.length }));
    const more = at === 0 && { resultSetMetaData: { rowType: result.rowType, partitionInfo } };
    return [200, { data: result.parts[at], ...more }, at > 0];
  };
  const answer = async (asked: Asked): Promise<Answer> => {
    try {
      if (!isLetIn(asked, publicKey)) throw new Refusal(401, '390144');
      assertThat(asked.headers['user-agent'] !== undefined);
      const [, handle, verb] =
        /^\/api\/v2\/statements(?:\/([^/]+))?(?:\/(cancel))?$/.exec(asked.url.pathname) ?? [];
      if (handle === undefined) return await begin(asked);
      if (verb === undefined) return part(handle, Number(asked.url.searchParams.get('partition') ?? 0));
      cancelled.push(handle);
      return [200, {}];
    } catch (failure) {
      if (failure instanceof Refusal) return failure.answer;
      throw failure;
    }
  };
  return { answer, cancelled, state };
};

export const startSnowflake = async (databaseUrl: string) => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const engine = await openEngine(databaseUrl, words);
  const { answer, cancelled, state } = createSnowflake(engine, publicKey);
  const server = await serve(answer);
  return {
    engine,
    cancelled,
    state,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    endpoint: server.endpoint,
    async close() {
      await server.close();
      await engine.close();
    },
  };
};

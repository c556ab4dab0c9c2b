/** A double of Snowflake's SQL API: it refuses what Snowflake refuses, as far as its documentation says so. */
import { createHash } from 'node:crypto';
import { secret } from '../testbed.ts';
import {
  type Answer,
  type Asked,
  type Column,
  claimsOf,
  openDouble,
  partOf,
  partsIn,
  publicKey,
  Refusal,
} from '../warehouse/testbed.ts';

const words = `
  CREATE FUNCTION snowflake_format(text) RETURNS text LANGUAGE sql AS $$ SELECT replace($1, 'SS.FF9"Z"', 'SS.US"000Z"') $$;
  CREATE FUNCTION to_varchar(anyelement) RETURNS text LANGUAGE sql AS $$ SELECT $1::text $$;
  CREATE FUNCTION to_varchar(timestamp, text) RETURNS text LANGUAGE sql AS $$ SELECT to_char($1, snowflake_format($2)) $$;
  CREATE FUNCTION to_varchar(date, text) RETURNS text LANGUAGE sql AS $$ SELECT to_char($1, $2) $$;
  CREATE FUNCTION convert_timezone(text, timestamptz) RETURNS timestamp LANGUAGE sql AS $$ SELECT $2 AT TIME ZONE $1 $$;
  CREATE FUNCTION to_timestamp_ntz(text, text) RETURNS timestamp LANGUAGE sql IMMUTABLE AS $$ SELECT $1::timestamp $$;
  CREATE FUNCTION to_timestamp_tz(text, text) RETURNS timestamptz LANGUAGE sql AS $$ SELECT $1::timestamptz $$;
  CREATE FUNCTION to_number(text, int, int) RETURNS numeric LANGUAGE sql AS $$ SELECT $1::numeric(38, 0) $$;
  CREATE FUNCTION hex_encode(bytea) RETURNS text LANGUAGE sql AS $$ SELECT upper(encode($1, 'hex')) $$;
  CREATE FUNCTION snowflake_json(jsonb) RETURNS text LANGUAGE sql AS $$ SELECT $1::text $$;`;

const types: Readonly<Record<string, object>> = {
  text: { type: 'text' },
  character: { type: 'text', collation: 'en-ci' },
  bigint: { type: 'fixed', scale: 0 },
  numeric: { type: 'fixed', scale: 2 },
  'double precision': { type: 'real' },
  boolean: { type: 'boolean' },
  'timestamp with time zone': { type: 'timestamp_tz' },
  'timestamp without time zone': { type: 'timestamp_ntz' },
  date: { type: 'date' },
  bytea: { type: 'binary' },
  jsonb: { type: 'variant' },
};

const refusal = (status: number, code: string): Refusal => new Refusal(status, { code, message: secret });

const assertThat = (holds: boolean): void => {
  if (!holds) throw refusal(400, '391902');
};

export const token = 'a-programmatic-token';

const fingerprint = `SHA256:${createHash('sha256')
  .update(publicKey.export({ type: 'spki', format: 'der' }))
  .digest('base64')}`;

/** https://docs.snowflake.com/en/developer-guide/sql-api/authenticating */
const isLetIn = (asked: Asked): boolean => {
  const { authorization, 'x-snowflake-authorization-token-type': kind } = asked.headers;
  if (kind === 'PROGRAMMATIC_ACCESS_TOKEN') return authorization === `Bearer ${token}`;
  const { iss, sub, exp, iat } = claimsOf(asked);
  return (
    kind === 'KEYPAIR_JWT' &&
    sub === 'SHOP-MAIN.ROSTER' &&
    iss === `${sub}.${fingerprint}` &&
    exp - iat <= 3_600
  );
};

/** Each `?` is the next value. */
const translated = (text: string): string => {
  let place = 0;
  return text
    .replaceAll('TO_JSON(', 'snowflake_json(')
    .replaceAll(/"(?:[^"]|"")*"|'[^']*'|\?/g, (found) => (found === '?' ? `$${++place}` : found));
};

const codes: Readonly<Record<string, string>> = { '42P01': '002003', '42703': '000904' };

export const startSnowflake = (databaseUrl: string) =>
  openDouble(databaseUrl, words, (engine) => {
    const begin = async ({ body, url }: Asked): Promise<Answer> => {
      const { statement, timeout, bindings, parameters, warehouse } = JSON.parse(body);
      assertThat(url.searchParams.get('async') === 'true' && /^SELECT /.test(statement));
      assertThat(Number.isInteger(timeout) && parameters.TIMEZONE === 'UTC');
      if (warehouse !== 'READING') throw refusal(422, '000606');
      const bound: { type: string; value: string }[] = Object.values(bindings);
      assertThat(bound.every(({ type }) => type === 'TEXT'));
      const statementHandle = await engine.begin(
        translated(statement),
        bound.map(({ value }) => value),
      );
      return [202, { code: '333334', statementHandle }];
    };
    const rowTypeOf = ({ name, type }: Column) => ({ name, ...types[type] });
    const part = (handle: string, at: number): Answer => {
      const result = engine.resultOf(handle);
      if (!result) throw refusal(404, '391404');
      if (result === 'running') return [202, { code: '333334', statementHandle: handle }];
      if (result.failure) throw refusal(422, codes[result.failure] ?? '001003');
      const resultSetMetaData = {
        numRows: result.rows.length,
        rowType: result.columns.map(rowTypeOf),
        partitionInfo: Array(partsIn(result) - engine.behaviour.lostParts).fill({}),
      };
      return [200, { data: partOf(result, at), ...(at === 0 && { resultSetMetaData }) }, at > 0];
    };

    return async (asked) => {
      if (!isLetIn(asked)) throw refusal(401, '390144');
      const [, handle, verb] =
        /^\/api\/v2\/statements(?:\/([^/]+))?(?:\/(cancel))?$/.exec(asked.url.pathname) ?? [];
      if (handle === undefined) return begin(asked);
      if (verb === undefined) return part(handle, Number(asked.url.searchParams.get('partition') ?? 0));
      engine.cancelled.push(handle);
      return [200, {}];
    };
  });

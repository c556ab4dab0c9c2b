/** A double of Databricks' SQL Statement Execution API: it refuses what Databricks refuses, as far as its documentation says so. */
import { secret } from '../testbed.ts';
import {
  type Answer,
  type Asked,
  type Column,
  openDouble,
  partOf,
  partsIn,
  Refusal,
  type Result,
} from '../warehouse/testbed.ts';

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
  bigint: 'BIGINT',
  numeric: 'DECIMAL(38,2)',
  'double precision': 'DOUBLE',
  boolean: 'BOOLEAN',
  'timestamp with time zone': 'TIMESTAMP',
  'timestamp without time zone': 'TIMESTAMP_NTZ',
  date: 'DATE',
  bytea: 'BINARY',
  jsonb: 'STRUCT<a: ARRAY<STRING>>',
};

const refusal = (status: number, error_code: string): Refusal =>
  new Refusal(status, { error_code, message: secret });

const assertThat = (holds: boolean): void => {
  if (!holds) throw refusal(400, 'MALFORMED_REQUEST');
};

export const token = 'a-personal-token';

/** Names in backquotes, and each `:p1` is the value of its place. */
const translated = (text: string): string =>
  text
    .replaceAll(String.raw`\'`, "''")
    .replaceAll(/`((?:[^`]|``)*)`|:p(\d+)/g, (_, name: string | undefined, place: string) =>
      name === undefined ? `$${place}` : `"${name.replaceAll('``', '`').replaceAll('"', '""')}"`,
    )
    .replaceAll('AS TIMESTAMP)', 'AS TIMESTAMPTZ)');

const classes: Readonly<Record<string, string>> = {
  '42P01': '[TABLE_OR_VIEW_NOT_FOUND]',
  '42703': '[UNRESOLVED_COLUMN.WITH_SUGGESTION]',
};

/** The first rows that fit. */
const cutAt = (result: Result, bytes: number): Result => {
  let left = bytes;
  const most = result.rows.findIndex((row) => {
    left -= Buffer.byteLength(row.join(''));
    return left < 0;
  });
  return most < 0 ? result : { ...result, rows: result.rows.slice(0, most) };
};

export const startDatabricks = (databaseUrl: string) =>
  openDouble(databaseUrl, words, (engine) => {
    const begin = async ({ body }: Asked): Promise<Answer> => {
      const asked = JSON.parse(body);
      assertThat(
        /^SELECT /.test(asked.statement) && asked.wait_timeout === '0s' && asked.disposition === 'INLINE',
      );
      assertThat(asked.format === 'JSON_ARRAY' && asked.byte_limit < 26_214_400);
      if (asked.warehouse_id !== 'w1') throw refusal(400, 'INVALID_PARAMETER_VALUE');
      const values = asked.parameters.map(({ name, value, type }: Record<string, string>, at: number) => {
        assertThat(name === `p${at + 1}` && type === 'STRING');
        return value;
      });
      return [
        200,
        {
          statement_id: await engine.begin(translated(asked.statement), values),
          status: { state: 'PENDING' },
        },
      ];
    };
    const chunkOf = (result: Result, at: number) => {
      const data_array = partOf(result, at);
      const next = at + 1 < partsIn(result) - engine.behaviour.lostParts ? { next_chunk_index: at + 1 } : {};
      return {
        chunk_index: at,
        row_count: data_array.length,
        ...(data_array.length > 0 && { data_array }),
        ...next,
      };
    };
    const columnOf = ({ name, type }: Column) => ({ name, type_text: types[type] });
    const answerOf = (id: string, at: number | undefined): Answer => {
      const whole = engine.resultOf(id);
      if (!whole) throw refusal(404, 'NOT_FOUND');
      if (whole === 'running') return [200, { statement_id: id, status: { state: 'RUNNING' } }];
      if (whole.failure) {
        const error = { message: `${classes[whole.failure] ?? '[INTERNAL_ERROR]'} ${secret}` };
        return [200, { status: { state: 'FAILED', error } }];
      }
      const result = cutAt(whole, engine.behaviour.resultBytes);
      if (at !== undefined) return [200, chunkOf(result, at), true];
      const manifest = {
        schema: { columns: whole.columns.map(columnOf) },
        total_row_count: result.rows.length,
        truncated: result !== whole,
      };
      return [200, { status: { state: 'SUCCEEDED' }, manifest, result: chunkOf(result, 0) }];
    };

    const paths = /^\/api\/2\.0\/sql\/statements\/(?:([^/]+)(?:\/(cancel|result\/chunks\/(\d+)))?)?$/;
    return async ({ url, headers, ...asked }) => {
      if (headers.authorization !== `Bearer ${token}`) throw refusal(403, 'PERMISSION_DENIED');
      const [path, id, verb, at] = paths.exec(url.pathname) ?? [];
      assertThat(path !== undefined);
      if (id === undefined) return begin({ url, headers, ...asked });
      if (verb !== 'cancel') return answerOf(id, at === undefined ? undefined : Number(at));
      engine.cancelled.push(id);
      return [200, {}];
    };
  });

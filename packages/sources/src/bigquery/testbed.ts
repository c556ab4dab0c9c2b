/** A double of BigQuery: it refuses what BigQuery refuses, as far as its documentation says so. */
import { secret } from '../testbed.ts';
import {
  type Answer,
  type Asked,
  type Column,
  claimsOf,
  openDouble,
  partOf,
  partsIn,
  pem,
  Refusal,
} from '../warehouse/testbed.ts';

const words = `
  CREATE DOMAIN string AS text; CREATE DOMAIN int64 AS bigint; CREATE DOMAIN datetime AS timestamp;
  CREATE FUNCTION bigquery_format(text) RETURNS text LANGUAGE sql AS $$
    SELECT replace(replace(replace(replace($1, '%E4Y', 'YYYY'), '%m-%d', 'MM-DD'), 'T%H:%M:%E6SZ', '"T"HH24:MI:SS.US"Z"'), 'T00:00:00Z', '"T00:00:00Z"') $$;
  CREATE FUNCTION format_timestamp(text, timestamptz, text) RETURNS text LANGUAGE sql AS $$ SELECT to_char($2 AT TIME ZONE $3, bigquery_format($1)) $$;
  CREATE FUNCTION format_datetime(text, timestamp) RETURNS text LANGUAGE sql AS $$ SELECT to_char($2, bigquery_format($1)) $$;
  CREATE FUNCTION format_date(text, date) RETURNS text LANGUAGE sql AS $$ SELECT to_char($2, bigquery_format($1)) $$;
  CREATE FUNCTION to_json_string(anyelement) RETURNS text LANGUAGE sql AS $$ SELECT to_json($1)::text $$;
  CREATE FUNCTION byte_length(text) RETURNS int LANGUAGE sql AS $$ SELECT octet_length($1) $$;
  CREATE FUNCTION to_base64(bytea) RETURNS text LANGUAGE sql AS $$ SELECT replace(encode($1, 'base64'), E'\\n', '') $$;`;

const types: Readonly<Record<string, string>> = {
  text: 'STRING',
  bigint: 'INTEGER',
  numeric: 'NUMERIC',
  'double precision': 'FLOAT',
  boolean: 'BOOLEAN',
  'timestamp with time zone': 'TIMESTAMP',
  'timestamp without time zone': 'DATETIME',
  date: 'DATE',
  bytea: 'BYTES',
  jsonb: 'JSON',
};

const fieldOf = ({ name, type }: Column) => ({ name, type: types[type] ?? 'RECORD', mode: 'NULLABLE' });

const refusal = (status: number, reason: string): Refusal =>
  new Refusal(status, { error: { code: status, message: secret, errors: [{ reason }] } });

const assertThat = (holds: boolean): void => {
  if (!holds) throw refusal(400, 'invalid');
};

const email = 'roster@shop.iam.gserviceaccount.com';

/** https://developers.google.com/identity/protocols/oauth2/service-account#jwt-auth */
const isLetIn = (asked: Asked): boolean => {
  const { iss, sub, aud, exp, iat } = claimsOf(asked);
  return iss === email && sub === email && aud === 'https://bigquery.googleapis.com/' && exp - iat <= 3_600;
};

interface Parameter {
  readonly name: string;
  readonly parameterType: { readonly type: string };
  readonly parameterValue: { readonly value: string };
}

/** Names in backquotes, in which a backslash escapes, and `@p1`. */
const translated = (text: string): string =>
  text
    .replaceAll(
      /`((?:[^`\\]|\\.)+)`/g,
      (_, name: string) => `"${name.replaceAll(/\\(.)/g, '$1').replaceAll('"', '""')}"`,
    )
    .replaceAll(/@p(\d+)/g, '$$$1');

/** The key file of the account. */
export const credentials = (more: object = {}): string => {
  const account = { type: 'service_account', project_id: 'shop', private_key: pem, client_email: email };
  return JSON.stringify({ ...account, ...more });
};

export const startBigquery = (databaseUrl: string) =>
  openDouble(databaseUrl, words, (engine) => {
    const describe = async (path: string): Promise<Answer> => {
      const names = path.split('/').filter((_, at) => at % 2 === 1);
      const quotedName = names.map((name) => `"${decodeURIComponent(name).replaceAll('"', '""')}"`).join('.');
      const columns = await engine.columnsOf(quotedName).catch(() => {
        throw refusal(404, 'notFound');
      });
      return [200, { schema: { fields: columns.map(fieldOf) } }];
    };
    const insert = async ({ body }: Asked): Promise<Answer> => {
      const { configuration } = JSON.parse(body);
      const { query, useLegacySql, parameterMode, queryParameters } = configuration.query;
      assertThat(useLegacySql === false && /^SELECT /.test(query) && parameterMode === 'NAMED');
      assertThat(/^\d+$/.test(configuration.jobTimeoutMs));
      const values = queryParameters.map(({ name, parameterType, parameterValue }: Parameter, at: number) => {
        assertThat(name === `p${at + 1}` && parameterType.type === 'STRING');
        return parameterValue.value;
      });
      const jobId = await engine.begin(translated(query), values);
      return [200, { jobReference: { jobId, location: 'EU' }, status: { state: 'RUNNING' } }];
    };
    const results = (id: string, { searchParams }: URL): Answer => {
      const result = searchParams.get('location') === 'EU' ? engine.resultOf(id) : undefined;
      if (!result) throw refusal(404, 'notFound');
      if (result === 'running') return [200, { jobComplete: false }];
      if (result.failure) throw refusal(400, 'invalidQuery');
      const at = Number(searchParams.get('pageToken') ?? 0);
      const rows = partOf(result, at).map((row) => ({ f: row.map((v) => ({ v })) }));
      const left = partsIn(result) - engine.behaviour.lostParts;
      const pageToken = at + 1 < left ? { pageToken: String(at + 1) } : {};
      return [200, { jobComplete: true, totalRows: String(result.rows.length), rows, ...pageToken }];
    };

    return async (asked) => {
      if (!isLetIn(asked)) throw refusal(401, 'authError');
      const [, project, path = ''] =
        /^\/bigquery\/v2\/projects\/([^/]+)\/(.+)$/.exec(asked.url.pathname) ?? [];
      if (project !== 'shop') throw refusal(403, 'accessDenied');
      const [what, id = '', verb] = path.split('/');
      if (what === 'datasets') return describe(path);
      if (what === 'queries') return results(id, asked.url);
      if (verb !== 'cancel') return insert(asked);
      engine.cancelled.push(id);
      return [200, {}];
    };
  });

/**
 * A double of BigQuery's REST interface (https://cloud.google.com/bigquery/docs/reference/rest): it refuses what BigQuery would refuse as far as its
 * documentation says so, and runs statements on PostgreSQL.
 */
import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { type Answer, type Asked, columnsIn, type Engine, openEngine, serve } from '../warehouse/testbed.ts';

const words = `
  CREATE DOMAIN string AS text; CREATE DOMAIN int64 AS bigint; CREATE DOMAIN bignumeric AS numeric; CREATE DOMAIN datetime AS timestamp;
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

const fieldOf = ({ name, type }: { name: string; type: string }) => {
  const element = types[type.replace('[]', '')] ?? 'RECORD';
  return { name, type: element, mode: type.endsWith('[]') ? 'REPEATED' : 'NULLABLE' };
};

const error = (code: number, reason: string): Answer => [
  code,
  { error: { code, message: 'a text that may hold a value of a row', errors: [{ reason }] } },
];

class Refusal extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super('refused');
    this.answer = answer;
  }
}
const refuse = (code: number, reason: string): never => {
  throw new Refusal(error(code, reason));
};

const assertThat = (holds: boolean): void => {
  if (!holds) refuse(400, 'invalid');
};

/** https://developers.google.com/identity/protocols/oauth2/service-account#jwt-auth */
const assertSigned = ({ headers }: Asked, email: string, key: KeyObject): void => {
  const [head = '', claims = '', signature = ''] = (headers.authorization ?? '')
    .replace('Bearer ', '')
    .split('.');
  const isRight = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    key,
    Buffer.from(signature, 'base64url'),
  );
  if (!isRight) refuse(401, 'authError');
  const { iss, sub, exp, iat, scope } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const isFresh = exp - iat <= 3_600 && Math.abs(Date.now() / 1000 - iat) < 60;
  if (iss !== email || sub !== email || !isFresh || scope !== 'https://www.googleapis.com/auth/bigquery')
    refuse(401, 'authError');
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

const assertParameters = (text: string, parameters: readonly Parameter[]): void => {
  const used = new Set([...text.matchAll(/@(p\d+)/g)].map(([, name]) => name));
  assertThat(
    parameters.every(({ name, parameterType }) => used.has(name) && parameterType.type === 'STRING'),
  );
  assertThat(parameters.length === used.size);
};

interface Job {
  readonly rows: (string | null)[][];
  polls: number;
}

const pageBytes = 10_000_000;

const pageOf = ({ rows }: Job, from: number, most: number): (string | null)[][] => {
  const page: (string | null)[][] = [];
  let bytes = 0;
  for (const row of rows.slice(from, from + most)) {
    bytes += row.reduce((sum, cell) => sum + (cell?.length ?? 0), 0);
    if (page.length > 0 && bytes > pageBytes) break;
    page.push(row);
  }
  return page;
};

export const email = 'roster@shop.iam.gserviceaccount.com';

const inPostgresql = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (failure) {
    const code = Reflect.get(Object(failure), 'code');
    if (code === '57014') return refuse(400, 'stopped');
    return refuse(400, 'invalidQuery');
  }
};
const describe = async (engine: Engine, path: string): Promise<Answer> => {
  const [, ...names] = /^datasets\/([^/]+)\/tables\/([^/]+)$/.exec(path) ?? [];
  const quotedName = names.map((name) => `"${decodeURIComponent(name).replaceAll('"', '""')}"`).join('.');
  const columns = await columnsIn(engine, quotedName);
  return columns ? [200, { schema: { fields: columns.map(fieldOf) } }] : error(404, 'notFound');
};

const createBigquery = (engine: Engine, publicKey: KeyObject) => {
  const jobs = new Map<string, Job>();
  const cancelled: string[] = [];
  /** While it is true, no job is complete. */
  const state = { isHeld: false, begun: 0 };

  const insert = async ({ body }: Asked): Promise<Answer> => {
    const { configuration, jobReference } = JSON.parse(body.toString());
    const { query, useLegacySql, parameterMode, queryParameters = [] } = configuration.query;
    assertThat(useLegacySql === false && /^SELECT /.test(query));
    assertThat(parameterMode.toUpperCase() === 'NAMED' && /^\d+$/.test(configuration.jobTimeoutMs));
    assertParameters(query, queryParameters);
    const values = queryParameters.map(({ parameterValue }: Parameter) => parameterValue.value);
    const rows = await inPostgresql(
      engine.run(translated(query), values, Number(configuration.jobTimeoutMs)),
    );
    jobs.set(jobReference.jobId, { rows, polls: 0 });
    state.begun += 1;
    return [200, { jobReference: { ...jobReference, location: 'EU' }, status: { state: 'RUNNING' } }];
  };
  const results = (id: string, { searchParams }: URL): Answer => {
    const job = jobs.get(id);
    if (!job || searchParams.get('location') !== 'EU') return error(404, 'notFound');
    job.polls += 1;
    if (job.polls === 1 || state.isHeld) return [200, { jobComplete: false }];
    const from = Number(searchParams.get('pageToken') ?? 0);
    const page = pageOf(job, from, Number(searchParams.get('maxResults')));
    const next = from + page.length;
    const rows = page.map((row) => ({ f: row.map((v) => ({ v })) }));
    return [
      200,
      {
        jobComplete: true,
        schema: { fields: [] },
        rows,
        ...(next < job.rows.length && { pageToken: String(next) }),
      },
    ];
  };
  const answer = async (asked: Asked): Promise<Answer> => {
    try {
      assertSigned(asked, email, publicKey);
      const [, project, path = ''] =
        /^\/bigquery\/v2\/projects\/([^/]+)\/(.+)$/.exec(asked.url.pathname) ?? [];
      if (project !== 'shop') return error(403, 'accessDenied');
      const [what, id = '', verb] = path.split('/');
      if (what === 'datasets') return await describe(engine, path);
      if (what === 'queries') return results(id, asked.url);
      if (verb !== 'cancel') return await insert(asked);
      cancelled.push(id);
      return [200, {}];
    } catch (failure) {
      if (failure instanceof Refusal) return failure.answer;
      throw failure;
    }
  };
  return { answer, cancelled, state };
};

export const startBigquery = async (databaseUrl: string) => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const engine = await openEngine(databaseUrl, words);
  const { answer, cancelled, state } = createBigquery(engine, publicKey);
  const server = await serve(answer);
  const credentials = (more: object = {}): string =>
    JSON.stringify({
      type: 'service_account',
      project_id: 'shop',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      client_email: email,
      ...more,
    });
  return {
    engine,
    cancelled,
    state,
    credentials,
    endpoint: server.endpoint,
    async close() {
      await server.close();
      await engine.close();
    },
  };
};

/** Tables and views of BigQuery, by its REST interface: https://cloud.google.com/bigquery/docs/reference/rest */
import { endpointOf, parsed } from '../http/exchange.ts';
import { readKey, signedToken } from '../http/signed-token.ts';
import { listAt, member, textAt } from '../members.ts';
import type { BigqueryTable } from '../settings.ts';
import { bad } from '../source-error.ts';
import type { SqlColumn } from '../sql/dialect.ts';
import type { Raw } from '../sql/rows.ts';
import type { Statement } from '../sql/statements.ts';
import { assertTableName } from '../sql/table-name.ts';
import { busy, columnGone, type Dictionary, denied, tableGone, tooLong } from '../warehouse/errors.ts';
import type { Service } from '../warehouse/service.ts';
import { dialect } from './dialect.ts';

/** https://cloud.google.com/bigquery/docs/error-messages */
const words: Dictionary = {
  authError: denied,
  accessDenied: [
    'access_denied',
    ({ who }) =>
      `${who} needs the roles BigQuery Data Viewer (of the dataset) and BigQuery Job User (of the project)`,
  ],
  notFound: tableGone,
  invalidQuery: columnGone,
  responseTooLarge: [
    'too_large',
    () => 'the result is too large for BigQuery: name a view with fewer columns',
  ],
  resourcesExceeded: [
    'too_large',
    () => 'the statement needs too much memory of BigQuery: name a smaller view',
  ],
  billingNotEnabled: ['access_denied', () => 'the project has no billing account'],
  quotaExceeded: ['server_error', ({ at }) => `${at} refuses: the project has used up its quota`],
  rateLimitExceeded: busy,
  jobRateLimitExceeded: busy,
  timeout: tooLong,
  stopped: tooLong,
};

/** Other kinds of credentials name files, hosts or commands that somebody would have to follow. */
const readAccount = (text: string) => {
  const value = parsed(text);
  const email = textAt(value, 'client_email');
  if (textAt(value, 'type') !== 'service_account' || !email)
    throw bad('the credentials of BigQuery must be the key file (JSON) of a service account');
  return { email, key: readKey(textAt(value, 'private_key'), email), project: textAt(value, 'project_id') };
};

/** What orders or tells apart in another way than usual has a kind of its own, which no table of the dialect has. */
const columnOf = (field: unknown): SqlColumn => {
  const [type, collation, precision] = ['type', 'collation', 'timestampPrecision'].map((name) =>
    textAt(field, name),
  );
  const kind =
    (textAt(field, 'mode') === 'REPEATED' ? `ARRAY<${type}>` : `${type}`) +
    (collation ? ` COLLATE ${collation}` : '') +
    (precision && precision !== '6' ? `(${precision})` : '');
  return { name: textAt(field, 'name'), type: kind, kind };
};

const cellsOf = (row: unknown): Raw =>
  listAt(row, 'f').map((cell) => {
    const value = member(cell, 'v');
    return typeof value === 'string' ? value : null;
  });

/** BigQuery cuts larger parts by itself. */
const partRows = 5_000;

const jobOf = ({ text, values }: Statement, ms: number) => ({
  configuration: {
    jobTimeoutMs: String(ms),
    query: {
      query: text,
      useLegacySql: false,
      parameterMode: 'NAMED',
      queryParameters: values.map((value, at) => ({
        name: `p${at + 1}`,
        parameterType: { type: 'STRING' },
        parameterValue: { value },
      })),
    },
  },
});

type Requests = Pick<Service, 'begin' | 'handleOf' | 'result' | 'next' | 'cancel' | 'describe'>;

const requestsOf = (payer: string): Requests => {
  const pathIn = (project: string, ...names: string[]): string =>
    `/bigquery/v2/projects/${[project, ...names].map(encodeURIComponent).join('/')}`;
  const pathTo = (handle: string, what: string, ...verb: string[]): string => {
    const [location = '', id = ''] = handle.split('/');
    return `${pathIn(payer, what, id, ...verb)}?location=${encodeURIComponent(location)}`;
  };
  const result = (handle: string): string => `${pathTo(handle, 'queries')}&maxResults=${partRows}`;
  return {
    begin: (statement, ms) => ({ path: pathIn(payer, 'jobs'), body: jobOf(statement, ms) }),
    /** The location of the job and its id. */
    handleOf(begun) {
      const id = textAt(begun, 'jobReference.jobId');
      return id && `${textAt(begun, 'jobReference.location')}/${id}`;
    },
    result: (handle) => ({ path: result(handle) }),
    next({ handle, answer }) {
      const token = textAt(answer, 'pageToken');
      return token ? { path: `${result(handle)}&pageToken=${encodeURIComponent(token)}` } : undefined;
    },
    cancel: (handle) => ({ path: pathTo(handle, 'jobs', 'cancel'), body: {} }),
    // A statement about a partitioned table may need a filter, and is billed.
    describe({ parts }) {
      const [name = '', dataset = '', owner = payer] = [...parts].reverse();
      return { path: pathIn(owner, 'datasets', dataset, 'tables', name) };
    },
  };
};

export const bigquery = ({ credentials, project, endpoint, table, tls }: BigqueryTable): Service => {
  const account = readAccount(credentials);
  const payer = project ?? account.project;
  if (!payer) throw bad('neither the connection nor the key file names a project of BigQuery');
  assertTableName('bigquery', table);
  const url = endpointOf(endpoint ?? 'https://bigquery.googleapis.com', tls);
  const { email: iss, key } = account;
  return {
    ...requestsOf(payer),
    place: { product: 'BigQuery', at: url.host, who: iss },
    endpoint: url,
    tls,
    dialect,
    mostRows: Number.POSITIVE_INFINITY,
    headers: () => ({
      authorization: `Bearer ${signedToken(key, { iss, sub: iss, aud: 'https://bigquery.googleapis.com/' })}`,
    }),
    words,
    codeOf: (refused) => textAt(listAt(refused, 'error.errors')[0], 'reason'),
    stateOf: (answer) => (member(answer, 'jobComplete') === true ? 'done' : 'running'),
    rowsOf: (answer) => listAt(answer, 'rows').map(cellsOf),
    totalOf: (first) => Number(member(first, 'totalRows')),
    columnsOf: (answer) => listAt(answer, 'schema.fields').map(columnOf),
  };
};

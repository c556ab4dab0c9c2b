/** From a connection of the workspace and the settings of an integration to a source that can be read. */
import type { Connection } from '@roster/access';
import type { DataKind, IntegrationSettings } from '@roster/contract';
import {
  openLog,
  openSource,
  type RowLog,
  readColumns,
  type Source,
  SourceError,
  type SourceTable,
} from '@roster/sources';
import { columnsOf, type Layout, layoutOf } from './layout.ts';

type Reference = { env: string } | { file: string };

/** Throws an error that says what is missing, and never what is there. */
export type ReadCredential = (reference: Reference) => Promise<string>;

export interface Table {
  source: Source;
  layout: Layout;
}

/** Where credentials and files stand. */
export interface Places {
  read: ReadCredential;
  /** The folder whose folders may be read; empty: none. */
  filesDir: string;
}

export const hasTables = ({ kind }: Connection): boolean => kind !== 'files' && kind !== 's3';

const loggingKinds: ReadonlySet<string> = new Set(['postgresql', 'mysql', 'mongodb']);

/** What is wrong with the tables for this kind of connection, in words. */
export const tableProblem = (
  connection: Connection,
  { table, log }: { table?: string | undefined; log?: IntegrationSettings['log'] | undefined },
): string | undefined => {
  const { id, kind } = connection;
  if (log && log.rows !== 'none' && !loggingKinds.has(kind))
    return `log must be left out: the connection ${id} is of kind ${kind}, into which no log can be written`;
  if (hasTables(connection) === (table !== undefined)) return undefined;
  return hasTables(connection)
    ? `table is missing: the connection ${id} is of kind ${kind}`
    : `table must be left out: the connection ${id} is of kind ${kind}, whose files are one table`;
};

const tlsOf = async (
  { tls, ca }: Pick<Exclude<Connection, { kind: 'files' }>, 'tls' | 'ca'>,
  read: ReadCredential,
) => (tls || ca ? { tls: { ...(tls && { mode: tls }), ...(ca && { ca: await read(ca) }) } } : {});

type Bucket = Extract<Connection, { kind: 's3' }>;

const bucketIn = async (connection: Bucket, read: ReadCredential): Promise<SourceTable> => {
  const { kind, endpoint, region = 'us-east-1', bucket, prefix, path_style, format } = connection;
  const { access_key, secret_key, session_token } = connection;
  return {
    kind,
    region,
    bucket,
    format,
    ...(endpoint !== undefined && { endpoint }),
    ...(prefix !== undefined && { prefix }),
    ...(path_style !== undefined && { pathStyle: path_style }),
    accessKey: await read(access_key),
    secretKey: await read(secret_key),
    ...(session_token && { sessionToken: await read(session_token) }),
    ...(await tlsOf(connection, read)),
  };
};

type Service = Extract<Connection, { kind: 'bigquery' | 'snowflake' | 'databricks' }>;

const serviceIn = async (connection: Service, table: string, read: ReadCredential): Promise<SourceTable> => {
  const tls = await tlsOf(connection, read);
  const { id, tls: mode, ca, ...rest } = connection;
  switch (rest.kind) {
    case 'bigquery':
      return { ...rest, ...tls, table, credentials: await read(rest.credentials) };
    case 'databricks':
      return { ...rest, ...tls, table, token: await read(rest.token) };
    case 'snowflake': {
      const { private_key, token, ...where } = rest;
      return {
        ...where,
        ...tls,
        table,
        ...(private_key && { privateKey: await read(private_key) }),
        ...(token && { token: await read(token) }),
      };
    }
  }
};

const tableIn = async (
  connection: Connection,
  table: string | undefined,
  { read, filesDir }: Places,
): Promise<SourceTable> => {
  const problem = tableProblem(connection, { table });
  if (problem !== undefined) throw new Error(problem);
  switch (connection.kind) {
    case 'files':
      return { kind: 'files', root: filesDir, folder: connection.folder, format: connection.format };
    case 's3':
      return bucketIn(connection, read);
    case 'bigquery':
    case 'snowflake':
    case 'databricks':
      return serviceIn(connection, table ?? '', read);
    default: {
      const { kind, url } = connection;
      return { kind, url: await read(url), table: table ?? '', ...(await tlsOf(connection, read)) };
    }
  }
};

const wrongSettings = (error: unknown): never => {
  if (error instanceof SourceError) throw error;
  throw new SourceError('bad_settings', error instanceof Error ? error.message : String(error));
};

export interface Opening extends Places {
  connection: Connection | undefined;
  settings: IntegrationSettings;
  data: DataKind;
}

/** Throws a `SourceError` in words. */
export const openTable = async ({ connection, settings, data, ...places }: Opening): Promise<Table> => {
  if (!connection)
    throw new SourceError('bad_settings', `the workspace has no connection ${settings.connection} any more`);
  const where = await tableIn(connection, settings.table, places).catch(wrongSettings);
  // Each document, and each line of JSON, has members of its own.
  const isOpen = where.kind === 'mongodb' || ('format' in where && where.format === 'ndjson');
  const layout = layoutOf(settings, data, await readColumns(where), isOpen);
  const { updatedAt, tie } = layout;
  const needed = 'format' in where ? { ...where, columns: columnsOf(layout) } : where;
  return { source: openSource({ ...needed, updatedAt, tie }), layout };
};

/** Where what becomes of the rows is written, if anywhere. Throws a `SourceError` in words. */
export const openRowLog = async ({
  connection,
  settings: { log },
  ...places
}: Omit<Opening, 'data'>): Promise<RowLog | undefined> => {
  if (!connection || !log || log.rows === 'none') return undefined;
  const where = await tableIn(connection, log.table, places).catch(wrongSettings);
  return 'url' in where ? openLog(where) : undefined;
};

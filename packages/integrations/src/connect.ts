/** From a connection of the workspace and the settings of an integration to a source that can be read. */
import type { Connection } from '@roster/access';
import type { DataKind, IntegrationSettings } from '@roster/contract';
import { openSource, type Source, SourceError, type SourceSettings } from '@roster/sources';
import { columnsOf, type Layout, layoutOf } from './layout.ts';

type Reference = { env: string } | { file: string };

/** Throws an error that says what is missing, and never what is there. */
export type ReadCredential = (reference: Reference) => Promise<string>;

export interface Table {
  source: Source;
  layout: Layout;
}

const needsTable: ReadonlySet<Connection['kind']> = new Set([
  'postgresql',
  'redshift',
  'mysql',
  'mongodb',
  'bigquery',
  'snowflake',
  'databricks',
]);

/** What is wrong with the table for this kind of source, in words. */
export const tableProblem = ({ kind }: Connection, table: string | undefined): string | undefined => {
  if (needsTable.has(kind)) return table === undefined ? `a source of kind ${kind} needs a table` : undefined;
  return table === undefined ? undefined : `a source of kind ${kind} has no tables`;
};

type Order = Pick<Layout, 'updatedAt' | 'tie'>;

type WithTls = Extract<Connection, { tls?: unknown }>;

const tlsOf = async ({ tls: mode, ca }: Pick<WithTls, 'tls' | 'ca'>, read: ReadCredential) =>
  mode || ca ? { tls: { ...(mode && { mode }), ...(ca && { ca: await read(ca) }) } } : {};

type Warehouse = Extract<Connection, { kind: 'bigquery' | 'snowflake' | 'databricks' }>;

const warehouseOf = async (connection: Warehouse, read: ReadCredential) => {
  // Neither the name of the connection nor a reference is a setting of a source.
  if (connection.kind === 'bigquery') {
    const { id, tls, ca, credentials, ...plain } = connection;
    return { ...plain, credentials: await read(credentials) };
  }
  if (connection.kind === 'databricks') {
    const { id, tls, ca, token, client_id: clientId, client_secret, ...plain } = connection;
    return {
      ...plain,
      ...(token && { token: await read(token) }),
      ...(clientId && { clientId }),
      ...(client_secret && { clientSecret: await read(client_secret) }),
    };
  }
  const { id, tls, ca, private_key, token, ...plain } = connection;
  return {
    ...plain,
    ...(private_key && { privateKey: await read(private_key) }),
    ...(token && { token: await read(token) }),
  };
};

type Complete = (order: Order, columns?: readonly string[]) => SourceSettings;

const settingsOf = async (connection: Connection, table: string, read: ReadCredential): Promise<Complete> => {
  switch (connection.kind) {
    case 'postgresql':
    case 'redshift':
    case 'mysql':
    case 'mongodb': {
      const { kind } = connection;
      const where = { kind, url: await read(connection.url), table, ...(await tlsOf(connection, read)) };
      return (order) => ({ ...where, ...order });
    }
    case 's3': {
      const { endpoint, region, bucket, prefix, path_style, format, session_token } = connection;
      const where = {
        kind: connection.kind,
        region: region ?? 'us-east-1',
        bucket,
        format,
        ...(endpoint !== undefined && { endpoint }),
        ...(prefix !== undefined && { prefix }),
        ...(path_style !== undefined && { pathStyle: path_style }),
        accessKey: await read(connection.access_key),
        secretKey: await read(connection.secret_key),
        ...(session_token && { sessionToken: await read(session_token) }),
        ...(await tlsOf(connection, read)),
      };
      return (order, columns) => ({ ...where, ...order, ...(columns && { columns }) });
    }
    case 'bigquery':
    case 'snowflake':
    case 'databricks': {
      const where = { ...(await warehouseOf(connection, read)), ...(await tlsOf(connection, read)), table };
      return (order) => ({ ...where, ...order });
    }
    case 'files': {
      const { kind, folder, format } = connection;
      return (order, columns) => ({ kind, folder, format, ...order, ...(columns && { columns }) });
    }
  }
};

const wrongSettings = (error: unknown): never => {
  if (error instanceof SourceError) throw error;
  throw new SourceError('bad_settings', error instanceof Error ? error.message : String(error));
};

/** Which columns are what is known only after they were read. */
const guess = ({ updated_at, key, identifier }: IntegrationSettings): Order => ({
  updatedAt: updated_at ?? 'UPDATED_AT',
  tie: key ?? identifier?.column ?? 'EXTERNAL_ID',
});

export interface Opening {
  connection: Connection | undefined;
  settings: IntegrationSettings;
  data: DataKind;
  read: ReadCredential;
}

/** Throws a `SourceError` in words. */
export const openTable = async ({ connection, settings, data, read }: Opening): Promise<Table> => {
  if (!connection)
    throw new SourceError('bad_settings', `the workspace has no connection ${settings.connection} any more`);
  const complete = await settingsOf(connection, settings.table ?? '', read).catch(wrongSettings);
  const open = ({ updatedAt, tie }: Order, columns?: readonly string[]): Source =>
    openSource(complete({ updatedAt, tie }, columns));
  const first = open(guess(settings));
  try {
    const layout = layoutOf(settings, data, await first.columns());
    return { source: open(layout, columnsOf(layout)), layout };
  } finally {
    await first.close();
  }
};

/** From a connection of the workspace and the settings of an integration to a source that can be read. */
import type { Connection } from '@roster/access';
import type { DataKind, IntegrationSettings } from '@roster/contract';
import {
  assertTableName,
  inThisProcess,
  type RowLog,
  SourceError,
  type Sources,
  type SourceTable,
} from '@roster/sources';
import { columnsOf, layoutOf } from './layout.ts';

type Reference = { env: string } | { file: string };

/** Throws an error that says what is missing, and never what is there. */
export type ReadCredential = (reference: Reference) => Promise<string>;

/** Where credentials and files stand. */
export interface Places {
  read: ReadCredential;
  /** The folder whose folders may be read; empty: none. */
  filesDir: string;
}

export const hasTables = ({ kind }: Connection): boolean => kind !== 'files' && kind !== 's3';

const loggingKinds: ReadonlySet<string> = new Set(['postgresql', 'mysql', 'mongodb']);

const nameProblem = ({ kind }: Connection, table: string): string | undefined => {
  try {
    assertTableName(kind, table);
    return undefined;
  } catch (error) {
    if (error instanceof SourceError) return error.message;
    throw error;
  }
};

/** What is wrong with the tables for this kind of connection, in words: as far as it can be told before they are read. */
export const tableProblem = (
  connection: Connection,
  { table, log, mode, on_removed = 'ignore' }: Partial<IntegrationSettings>,
): string | undefined => {
  const { id, kind } = connection;
  if (log && log.rows !== 'none' && !loggingKinds.has(kind))
    return `log must be left out: the connection ${id} is of kind ${kind}, into which no log can be written`;
  if (on_removed !== 'ignore' && mode !== 'diff')
    return `on_removed goes with mode diff, which alone sees that a row is gone: set mode to diff, or on_removed to ignore`;
  if (hasTables(connection) === (table !== undefined))
    return table === undefined ? undefined : nameProblem(connection, table);
  return hasTables(connection)
    ? `table is missing: the connection ${id} is of kind ${kind}`
    : `table must be left out: the connection ${id} is of kind ${kind}, whose files are one table`;
};

type Camel<Name> = Name extends `${infer Head}_${infer Rest}` ? `${Head}${Capitalize<Camel<Rest>>}` : Name;

/** A connection as sources take it: each reference is the text to which it leads, and names have no underscores. */
type Resolved<C> = C extends Connection
  ? {
      [Name in keyof C as Exclude<Camel<Name>, 'id' | 'tls' | 'ca'>]: NonNullable<C[Name]> extends Reference
        ? string
        : C[Name];
    } & Pick<Extract<SourceTable, { tls?: unknown }>, 'tls'>
  : never;

const resolved = async <C extends Connection>(connection: C, read: ReadCredential): Promise<Resolved<C>> => {
  const members: { [name: string]: unknown } = {};
  for (const [name, value] of Object.entries(connection))
    members[name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())] =
      typeof value === 'object' ? await read(value) : value;
  const { id: _, tls: mode, ca, ...rest } = members;
  const tls = { ...(mode !== undefined && { mode }), ...(ca !== undefined && { ca }) };
  return { ...rest, ...(Object.keys(tls).length > 0 && { tls }) } as Resolved<C>;
};

const tableIn = async (
  connection: Connection,
  table: string | undefined,
  { read, filesDir }: Places,
): Promise<SourceTable> => {
  const problem = tableProblem(connection, table === undefined ? {} : { table });
  if (problem !== undefined) throw new Error(problem);
  const where = await resolved(connection, read);
  if (where.kind === 'files') return { ...where, root: filesDir };
  return where.kind === 's3' ? { region: 'us-east-1', ...where } : { ...where, table: table ?? '' };
};

const wrongSettings = (error: unknown): never => {
  if (error instanceof SourceError) throw error;
  throw new SourceError('bad_settings', error instanceof Error ? error.message : String(error));
};

export interface Opening extends Places {
  connection: Connection | undefined;
  settings: IntegrationSettings;
  data: DataKind;
  /** In whose process drivers run; in this one, unless told. */
  sources?: Sources;
}

/** Throws a `SourceError` in words. */
export const openTable = async ({
  connection,
  settings,
  data,
  sources = inThisProcess,
  ...places
}: Opening) => {
  if (!connection)
    throw new SourceError('bad_settings', `the workspace has no connection ${settings.connection} any more`);
  const where = await tableIn(connection, settings.table, places).catch(wrongSettings);
  // Each document, and each line of JSON, has members of its own.
  const isOpen = where.kind === 'mongodb' || ('format' in where && where.format === 'ndjson');
  const found = await sources.readColumns(where);
  const layout = layoutOf(settings, data, found, isOpen);
  const { updatedAt, tie } = layout;
  const needed = 'format' in where ? { ...where, columns: columnsOf(layout) } : where;
  // Where a row may have any columns, none is known to be gone.
  const names = isOpen ? undefined : found.map(({ name }) => name);
  return { source: sources.openSource({ ...needed, updatedAt, tie }), layout, columns: names };
};

export type Table = Awaited<ReturnType<typeof openTable>>;

/** Where what becomes of the rows is written, if anywhere. Throws a `SourceError` in words. */
export const openRowLog = async ({
  connection,
  settings: { log },
  sources = inThisProcess,
  ...places
}: Omit<Opening, 'data'>): Promise<RowLog | undefined> => {
  if (!connection || !log || log.rows === 'none') return undefined;
  const where = await tableIn(connection, log.table, places).catch(wrongSettings);
  return 'url' in where ? sources.openLog(where) : undefined;
};

/** From a connection of the workspace and the settings of an integration to a source that can be read. */
import type { Connection } from '@roster/access';
import type { DataKind, IntegrationSettings } from '@roster/contract';
import { openSource, readColumns, type Source, SourceError, type SourceTable } from '@roster/sources';
import { type Layout, layoutOf } from './layout.ts';

type Reference = { env: string } | { file: string };

/** Throws an error that says what is missing, and never what is there. */
export type ReadCredential = (reference: Reference) => Promise<string>;

export interface Table {
  source: Source;
  layout: Layout;
}

const tableIn = async (
  { kind, url, tls: mode, ca }: Connection,
  table: string,
  read: ReadCredential,
): Promise<SourceTable> => {
  const tls = (mode || ca) && { ...(mode && { mode }), ...(ca && { ca: await read(ca) }) };
  return { kind, url: await read(url), table, ...(tls && { tls }) };
};

const wrongSettings = (error: unknown): never => {
  if (error instanceof SourceError) throw error;
  throw new SourceError('bad_settings', error instanceof Error ? error.message : String(error));
};

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
  const where = await tableIn(connection, settings.table, read).catch(wrongSettings);
  const layout = layoutOf(settings, data, await readColumns(where));
  const { updatedAt, tie } = layout;
  return { source: openSource({ ...where, updatedAt, tie }), layout };
};

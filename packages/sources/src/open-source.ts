import { columnsOfFiles, openFiles } from './files/files.ts';
import { openFolder } from './files/folder.ts';
import type { FileStore } from './files/store.ts';
import type { Limits } from './limits.ts';
import { mongodb } from './mongodb/mongodb.ts';
import { mysql } from './mysql/mysql.ts';
import { postgresql } from './postgresql/postgresql.ts';
import { openBucket } from './s3/bucket.ts';
import { createKind, type Kind } from './server/kind.ts';
import type { BucketTable, FolderTable, ServerTable, SourceSettings, SourceTable } from './settings.ts';
import type { Column, Source } from './source.ts';

const servers: Readonly<Record<ServerTable['kind'], Kind<ServerTable>>> = {
  postgresql: createKind(postgresql),
  mysql: createKind(mysql),
  mongodb: createKind(mongodb),
};

const storeOf = (table: FolderTable | BucketTable, limits: Partial<Limits>): FileStore =>
  table.kind === 's3' ? openBucket(table, limits) : openFolder(table);

/** Opens no connection yet. Throws a `SourceError` for settings that can't be right. */
export const openSource = (settings: SourceSettings, limits: Partial<Limits> = {}): Source =>
  'url' in settings
    ? servers[settings.kind].open(settings, limits)
    : openFiles(storeOf(settings, limits), settings, { limits });

/** Before it is known in which order rows are read. */
export const readColumns = async (table: SourceTable): Promise<readonly Column[]> =>
  'url' in table ? servers[table.kind].columns(table) : columnsOfFiles(storeOf(table, {}), table);

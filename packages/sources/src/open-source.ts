import type { Limits } from './bounds.ts';
import { columnsOfFiles, openFiles } from './files/files.ts';
import { openFolder } from './files/folder.ts';
import type { FileStore } from './files/store.ts';
import { mongodb } from './mongodb/mongodb.ts';
import { mysql } from './mysql/mysql.ts';
import { postgresql } from './postgresql/postgresql.ts';
import { redshift } from './redshift/redshift.ts';
import { openBucket } from './s3/bucket.ts';
import { createKind, type Kind } from './server/kind.ts';
import type {
  BucketTable,
  FolderTable,
  ServerTable,
  ServiceTable,
  SourceSettings,
  SourceTable,
} from './settings.ts';
import type { Source } from './source.ts';
import { overHttp } from './warehouse/over-http.ts';

const servers: Readonly<Record<ServerTable['kind'], Kind<ServerTable>>> = {
  postgresql: createKind(postgresql),
  mysql: createKind(mysql),
  mongodb: createKind(mongodb),
  redshift: createKind(redshift),
};
const services: Kind<ServiceTable> = createKind(overHttp);

const storeOf = (table: FolderTable | BucketTable, limits: Partial<Limits>): FileStore =>
  table.kind === 's3' ? openBucket(table, limits) : openFolder(table);

/** Opens no connection yet. Throws a `SourceError` for settings that can't be right. */
export const openSource = (settings: SourceSettings, limits: Partial<Limits> = {}): Source => {
  if ('url' in settings) return servers[settings.kind].open(settings, limits);
  return 'format' in settings
    ? openFiles(storeOf(settings, limits), settings, { limits })
    : services.open(settings, limits);
};

/** Before it is known in which order rows are read. */
export const readColumns = async (table: SourceTable, limits: Partial<Limits> = {}) => {
  if ('url' in table) return servers[table.kind].columns(table, limits);
  return 'format' in table ? columnsOfFiles(storeOf(table, {}), table) : services.columns(table, limits);
};

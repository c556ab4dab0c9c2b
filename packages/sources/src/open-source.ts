import type { Limits } from './limits.ts';
import { mongodb } from './mongodb/mongodb.ts';
import { mysql } from './mysql/mysql.ts';
import { postgresql } from './postgresql/postgresql.ts';
import { createKind, type Kind } from './server/kind.ts';
import type { SourceSettings, SourceTable } from './settings.ts';
import type { Column, Source } from './source.ts';

const kinds: Readonly<Record<SourceTable['kind'], Kind<SourceTable>>> = {
  postgresql: createKind(postgresql),
  mysql: createKind(mysql),
  mongodb: createKind(mongodb),
};

/** Opens no connection yet. Throws a `SourceError` for settings that can't be right. */
export const openSource = (settings: SourceSettings, limits: Partial<Limits> = {}): Source =>
  kinds[settings.kind].open(settings, limits);

/** Before it is known in which order rows are read. */
export const readColumns = async (table: SourceTable): Promise<readonly Column[]> =>
  kinds[table.kind].columns(table);

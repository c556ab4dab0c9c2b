import type { Limits } from './limits.ts';
import { openPostgresql, postgresqlColumns } from './postgresql/postgresql.ts';
import type { SourceSettings, SourceTable } from './settings.ts';
import type { Column, Source } from './source.ts';

/** Opens no connection yet. Throws a `SourceError` for settings that can't be right. */
export const openSource = (settings: SourceSettings, limits: Partial<Limits> = {}): Source => {
  switch (settings.kind) {
    case 'postgresql':
      return openPostgresql(settings, limits);
  }
};

/** Before it is known in which order rows are read. */
export const readColumns = async (table: SourceTable): Promise<readonly Column[]> => {
  switch (table.kind) {
    case 'postgresql':
      return postgresqlColumns(table);
  }
};

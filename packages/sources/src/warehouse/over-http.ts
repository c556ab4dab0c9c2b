/** Warehouses that are asked over HTTP, as a protocol: there is no connection, so a session is the right to ask. */
import { bigquery } from '../bigquery/bigquery.ts';
import { databricks } from '../databricks/databricks.ts';
import type { Protocol } from '../server/protocol.ts';
import type { ServiceTable } from '../settings.ts';
import { snowflake } from '../snowflake/snowflake.ts';
import { SourceError } from '../source-error.ts';
import type { SqlColumn } from '../sql/dialect.ts';
import type { Statement } from '../sql/statements.ts';
import type { Named, Table } from '../sql/table.ts';
import { tablesOf } from '../sql/tables.ts';
import { toSourceError } from './errors.ts';
import { type Asking, ask, rawRows, run, type Service } from './service.ts';

const serviceOf = (table: ServiceTable): Service => {
  switch (table.kind) {
    case 'bigquery':
      return bigquery(table);
    case 'snowflake':
      return snowflake(table);
    case 'databricks':
      return databricks(table);
  }
};

const isGone = (error: unknown): boolean => error instanceof SourceError && error.code === 'table_missing';

export const overHttp = (where: ServiceTable): Protocol<Asking, Table> => {
  const service = serviceOf(where);
  const { dialect, place, mostRows } = service;

  const columnsOf = async (asking: Asking, named: Named): Promise<readonly SqlColumn[] | undefined> => {
    const statement = { text: `SELECT * FROM ${named.quotedName} LIMIT 0`, values: [] };
    try {
      const answer = service.describe
        ? await ask(service, service.describe(named), asking)
        : (await run(service, statement, asking)).first;
      return service.columnsOf(answer);
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  };
  const stream = (asking: Asking, statement: Statement) => rawRows(service, statement, asking);

  return {
    ...tablesOf(dialect, { columnsOf, stream, mostRows }),
    at: place.at,
    keepsResults: true,
    connect(limits) {
      const ending = new AbortController();
      return { signal: ending.signal, limits, drop: () => ending.abort() };
    },
    begin: async () => {},
    toSourceError: (error) => toSourceError(error, place),
  };
};

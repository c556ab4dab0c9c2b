/** Warehouses that are asked over HTTP, as a protocol: there is no connection, so a session is the right to ask. */
import { bigquery } from '../bigquery/bigquery.ts';
import { databricks } from '../databricks/databricks.ts';
import type { Protocol } from '../server/protocol.ts';
import type { ServiceTable } from '../settings.ts';
import { snowflake } from '../snowflake/snowflake.ts';
import { SourceError } from '../source-error.ts';
import type { Raw } from '../sql/rows.ts';
import { toSourceError } from './errors.ts';
import { type Asking, answersTo, ask, rawRows, type Service } from './service.ts';
import { countRows, finderOf, readRows, type Statement, sampleRows } from './statements.ts';
import { type Found, findTable, type Named, type Table, tableIn, type WarehouseColumn } from './table.ts';

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

const allRows = async (service: Service, statement: Statement, asking: Asking): Promise<readonly Raw[]> => {
  const found: Raw[] = [];
  for await (const rows of rawRows(service, statement, asking)) if (rows !== 'more') found.push(...rows);
  return found;
};

const columnsBy =
  (service: Service, asking: Asking) =>
  async (named: Named): Promise<readonly WarehouseColumn[] | undefined> => {
    const statement = { text: `SELECT * FROM ${named.quotedName} LIMIT 0`, values: [] };
    try {
      if (service.describe) return service.columnsOf(await ask(service, service.describe(named), asking));
      for await (const answer of answersTo(service, statement, asking)) return service.columnsOf(answer);
      return undefined;
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  };

export const overHttp = (where: ServiceTable): Protocol<Asking, Table> => {
  const service = serviceOf(where);
  const { dialect, place } = service;
  const look = (asking: Asking, table: string): Promise<Found> =>
    findTable(dialect, table, columnsBy(service, asking));
  return {
    at: place.at,
    keepsResults: true,
    connect(limits) {
      const ending = new AbortController();
      return { signal: ending.signal, limits, drop: () => ending.abort() };
    },
    begin: async () => {},
    toSourceError: (error) => toSourceError(error, place),
    look,
    find: async (asking, wanted) => tableIn(dialect, wanted, await look(asking, wanted.table)),
    sample: async (asking, table) =>
      (await allRows(service, sampleRows(dialect, table, new Date()), asking)).map(finderOf(dialect, table)),
    async estimate(asking, table, since) {
      const [row] = await allRows(service, countRows(dialect, table, since, new Date()), asking);
      return Number(row?.[2]);
    },
    async *rows(asking, table, since) {
      const most = Math.min(service.mostRows, asking.limits.statementRows);
      const statement = readRows(dialect, table, { since, now: new Date(), most });
      const find = finderOf(dialect, table);
      let read = 0;
      for await (const rows of rawRows(service, statement, asking)) {
        if (rows === 'more') read = most;
        else {
          yield rows.map(find);
          read += rows.length;
        }
      }
      if (read >= most) yield 'more';
    },
  };
};

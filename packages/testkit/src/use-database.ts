/** A PostgreSQL, a MariaDB or a MongoDB of its own for a file of tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Server, ServerOptions } from '@roster/local-stack';

export interface TestDatabase {
  /** With user and password; filled in before the first test. */
  readonly url: string;
}

/** Opens what uses the server, and gives the function that closes it. */
type Use = (url: string) => Promise<() => Promise<unknown>>;

/** Loaded late: most tests that use this package need none of it. */
type Start = (options: ServerOptions) => Promise<Server>;

export const startPostgresql: Start = async (options) =>
  (await import('./databases/postgresql.ts')).startPostgresql(options);
export const startMariadb: Start = async (options) =>
  (await import('./databases/mariadb.ts')).startMariadb(options);
const startMongod: Start = async (options) => (await import('@roster/local-stack')).startMongo(options);

/** More arguments of the server, which may name files in its folder. */
type Args = (dir: string) => string[];

const useDatabase = (start: Start, use: Use, args: Args = () => []): TestDatabase => {
  const used = { url: '' };
  let dir: string | undefined;
  let server: Server | undefined;
  let close = async (): Promise<unknown> => undefined;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'roster-database-'));
    server = await start({ dir, args: args(dir) });
    used.url = server.url;
    close = await use(server.url);
  });
  // Each by itself: one that fails does not keep the others from running.
  afterAll(() => close());
  afterAll(() => server?.stop());
  afterAll(() => dir && rmSync(dir, { recursive: true, force: true }));
  return used;
};

const nothing: Use = async () => async () => {};

export const usePostgresql = (use = nothing): TestDatabase => useDatabase(startPostgresql, use);
export const useMariadb = (use = nothing, args?: Args): TestDatabase => useDatabase(startMariadb, use, args);
export const useMongod = (use = nothing, args?: Args): TestDatabase => useDatabase(startMongod, use, args);

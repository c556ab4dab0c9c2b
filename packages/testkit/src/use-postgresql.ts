/** A PostgreSQL of its own for a file of tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Server } from '@roster/local-stack';

export interface TestPostgresql {
  /** With user and password; filled in before the first test. */
  readonly url: string;
}

/** `use` opens what uses the server, and gives the function that closes it. */
export const usePostgresql = (
  use: (url: string) => Promise<() => Promise<unknown>> = async () => async () => {},
): TestPostgresql => {
  const used = { url: '' };
  let dir: string | undefined;
  let server: Server | undefined;
  let close = async (): Promise<unknown> => undefined;
  beforeAll(async () => {
    // Late: most tests that use this package need none of it.
    const { startPostgresql } = await import('@roster/local-stack');
    dir = mkdtempSync(join(tmpdir(), 'roster-postgresql-'));
    server = await startPostgresql({ dir });
    used.url = server.url;
    close = await use(server.url);
  });
  // Each by itself: one that fails does not keep the others from running.
  afterAll(() => close());
  afterAll(() => server?.stop());
  afterAll(() => dir && rmSync(dir, { recursive: true, force: true }));
  return used;
};

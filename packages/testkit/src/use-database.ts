/** A PostgreSQL or MariaDB of its own for a file of tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Server, startMariadb, startPostgresql } from '@roster/local-stack';

/** The first time on a machine it may have to be fetched. */
const patienceMs = 240_000;

type Start = (options: { dir: string }) => Promise<Server>;

const starts: Record<'postgresql' | 'mariadb', Start> = {
  postgresql: startPostgresql,
  mariadb: startMariadb,
};

export interface TestDatabase {
  /** With user and password; there as soon as the tests run. */
  readonly url: string;
}

/** `use` opens what needs it, and gives the function that closes that. */
export const useDatabase = (
  kind: keyof typeof starts,
  use: (url: string) => Promise<() => Promise<unknown>> = async () => async () => {},
): TestDatabase => {
  let url = '';
  let end = async (): Promise<void> => {};
  beforeAll(async () => {
    const dir = mkdtempSync(join(tmpdir(), `roster-${kind}-`));
    end = async () => rmSync(dir, { recursive: true, force: true });
    const server = await starts[kind]({ dir });
    url = server.url;
    end = async () => {
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    };
    const close = await use(url);
    end = async () => {
      await close();
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    };
  }, patienceMs);
  afterAll(() => end());
  return {
    get url() {
      return url;
    },
  };
};

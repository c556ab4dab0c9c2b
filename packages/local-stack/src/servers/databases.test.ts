import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMariadb } from './mariadb.ts';
import { startPostgresql } from './postgresql.ts';

const starts = [
  ['PostgreSQL', startPostgresql],
  ['MariaDB', startMariadb],
] as const;

describe.each(starts)('%s', (_, start) => {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'roster-database-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('starts, stops, and starts again with its data on the same port', async () => {
    const first = await start({ dir });
    await first.stop();
    expect(first.process.isRunning()).toBe(false);
    const second = await start({ dir });
    await second.stop();
    expect(second.port).toBe(first.port);
  }, 240_000);
});

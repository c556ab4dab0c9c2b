import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMariadb } from './mariadb.ts';

it('MariaDB starts, stops, and starts again with its data on the same port', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'roster-mariadb-'));
  try {
    const first = await startMariadb({ dir });
    await first.stop();
    expect(first.process.isRunning()).toBe(false);
    const second = await startMariadb({ dir });
    await second.stop();
    expect(second.port).toBe(first.port);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});

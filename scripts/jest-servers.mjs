// One real Redis and one real mongod for a whole run of tests, on free ports and throw-away data.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, runQuiet, tool } from './processes.mjs';

/** The local stack is used as built: jest may be called straight, before anything was built. */
const buildLocalStack = async () => {
  const args = [tool('typescript/bin/tsc'), '-b', join(root, 'packages/local-stack')];
  const { code, output } = await runQuiet(process.execPath, args);
  if (code !== 0) throw new Error(`packages/local-stack does not build:\n${output}`);
};

/** `env` is what the tests look for. */
export const startTestServers = async (folder = tmpdir()) => {
  await buildLocalStack();
  const { startMongo, startRedis } = await import('../packages/local-stack/dist/index.js');
  const dir = mkdtempSync(join(folder, 'roster-test-servers-'));
  const redis = await startRedis({ dir: join(dir, 'redis') });
  const mongo = await startMongo({ dir: join(dir, 'mongo') });
  const stop = async () => {
    await Promise.all([redis.stop(), mongo.stop()]);
    rmSync(dir, { recursive: true, force: true });
  };
  return { env: { ROSTER_TEST_REDIS: redis.url, ROSTER_TEST_MONGO: mongo.url }, stop };
};

// A real Redis for each worker of jest and one real mongod, for a whole run of tests, on free ports and throw-away data.
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

/** As many as jest has workers. What is published reaches every database of a Redis, so one for all would carry it from test to test. */
const redises = 4;

/** `env` is what the tests look for. */
export const startTestServers = async (folder = tmpdir()) => {
  await buildLocalStack();
  const { startMongo, startRedis } = await import('../packages/local-stack/dist/index.js');
  const dir = mkdtempSync(join(folder, 'roster-test-servers-'));
  const numbers = Array.from({ length: redises }, (_, number) => number);
  const [mongo, ...own] = await Promise.all([
    // A test that is not about time limits does not reach one, however slow the machine is.
    startMongo({ dir: join(dir, 'mongo'), transactionSeconds: 600, keepsExpired: true }),
    ...numbers.map((number) => startRedis({ dir: join(dir, `redis-${number}`) })),
  ]);
  const stop = async () => {
    await Promise.all([mongo, ...own].map((server) => server.stop()));
    rmSync(dir, { recursive: true, force: true });
  };
  const urls = own.map((redis) => redis.url).join(',');
  return { env: { ROSTER_TEST_REDIS: urls, ROSTER_TEST_MONGO: mongo.url }, stop };
};

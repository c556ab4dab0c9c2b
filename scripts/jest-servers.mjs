// A real Redis for each worker of jest and one real mongod, for a whole run of tests, on free ports and throw-away data.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localStack } from './local-stack.mjs';

/** As many as jest has workers. What is published reaches every database of a Redis, so one for all would carry it from test to test. */
const redises = 3;

/** `env` is what the tests look for. */
export const startTestServers = async (folder = tmpdir()) => {
  const { startMongo, startRedis } = await localStack();
  const dir = mkdtempSync(join(folder, 'roster-test-servers-'));
  const numbers = Array.from({ length: redises }, (_, number) => number);
  const [mongo, ...own] = await Promise.all([
    startMongo({ dir: join(dir, 'mongo') }),
    ...numbers.map((number) => startRedis({ dir: join(dir, `redis-${number}`) })),
  ]);
  const stop = async () => {
    await Promise.all([mongo, ...own].map((server) => server.stop()));
    rmSync(dir, { recursive: true, force: true });
  };
  const urls = own.map((redis) => redis.url).join(',');
  return { env: { ROSTER_TEST_REDIS: urls, ROSTER_TEST_MONGO: mongo.url }, stop };
};

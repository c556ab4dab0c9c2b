// One real Redis and one real mongod for a whole run of jest, on free ports and throw-away data.
const { spawnSync } = require('node:child_process');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const { env } = process;
const root = join(__dirname, '..');

/** The local stack is used as built: jest may be called straight, before anything was built. */
const buildLocalStack = () => {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-b', 'packages/local-stack'], { cwd: root });
  if (status !== 0) throw new Error(`packages/local-stack does not build:\n${stdout}`);
};

const startServers = async () => {
  buildLocalStack();
  const { startMongo, startRedis } = await import('../packages/local-stack/dist/index.js');
  const dir = mkdtempSync(join(tmpdir(), 'roster-jest-'));
  const redis = await startRedis({ dir: join(dir, 'redis') });
  const mongo = await startMongo({ dir: join(dir, 'mongo') });
  const stop = async () => {
    await Promise.all([redis.stop(), mongo.stop()]);
    rmSync(dir, { recursive: true, force: true });
  };
  return { redis: redis.url, mongo: mongo.url, stop };
};

module.exports = async () => {
  if (env.ROSTER_TEST_REDIS && env.ROSTER_TEST_MONGO) return;
  const servers = await startServers();
  env.ROSTER_TEST_REDIS ||= servers.redis;
  env.ROSTER_TEST_MONGO ||= servers.mongo;
  globalThis.stopTestServers = servers.stop;
};

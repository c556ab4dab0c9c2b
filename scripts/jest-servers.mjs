// Real servers for tests, on free ports and throw-away data: one mongod, and a Redis for each worker of jest. What is published reaches every
// database of a Redis, so one for all would carry it from test to test.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inMemory } from './memory.mjs';

const openServers = async () => {
  const { startMongo, startRedis } = await import('../packages/local-stack/dist/index.js');
  const dir = mkdtempSync(join(inMemory().TMPDIR ?? tmpdir(), 'roster-test-servers-'));
  // A test that is not about time limits does not reach one, however slow the machine is.
  const mongo = startMongo({ dir: join(dir, 'mongo'), transactionSeconds: 600, keepsExpired: true });
  const redises = [];
  const free = [];

  const takeRedis = () => {
    if (free.length > 0) return free.pop();
    const redis = startRedis({ dir: join(dir, `redis-${redises.length}`) });
    redises.push(redis);
    return redis;
  };

  return {
    /** For one run of jest; `release` gives the Redis servers back. */
    async lease(workers) {
      const taken = Array.from({ length: workers }, takeRedis);
      const [{ url }, ...own] = await Promise.all([mongo, ...taken]);
      return {
        env: { ROSTER_TEST_REDIS: own.map((redis) => redis.url).join(','), ROSTER_TEST_MONGO: url },
        release: () => free.push(...taken),
      };
    },
    async stop() {
      const started = await Promise.allSettled([mongo, ...redises]);
      await Promise.all(started.map(({ value }) => value?.stop()));
      rmSync(dir, { recursive: true, force: true });
    },
  };
};

/** For one run of jest alone. `env` is what the tests look for. */
export const startTestServers = async (workers) => {
  const servers = await openServers();
  const { env } = await servers.lease(workers);
  return { env, stop: servers.stop };
};

/**
 * For several runs of jest, some of them at once. They are started when the first one asks, by a connection to the socket that ROSTER_TEST_SERVERS
 * names; its end gives back what it took.
 */
export const shareTestServers = async () => {
  const dir = mkdtempSync(join(tmpdir(), 'roster-test-run-'));
  const path = join(dir, 'socket');
  let servers;
  const answer = async (socket) => {
    const ended = once(socket, 'close');
    const [workers] = await once(socket, 'data');
    servers ??= openServers();
    const { env, release } = await (await servers).lease(Number(workers));
    socket.write(JSON.stringify(env));
    await ended;
    release();
  };
  const server = createServer((socket) => {
    answer(socket).catch((error) => socket.end(JSON.stringify({ error: error.message })));
  });
  server.listen(path);
  await once(server, 'listening');
  return {
    env: { ROSTER_TEST_SERVERS: path },
    async stop() {
      server.close();
      await (await servers)?.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
};

/** Some of the servers that `shareTestServers` shares. */
export const leaseTestServers = async (workers) => {
  const socket = createConnection(process.env.ROSTER_TEST_SERVERS);
  socket.write(String(workers));
  const [answer] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  const { error, ...env } = answer ? JSON.parse(answer) : { error: 'The run of tests has ended.' };
  if (error) throw new Error(error);
  socket.on('error', () => {}).unref();
  return { env, stop: () => socket.destroy() };
};

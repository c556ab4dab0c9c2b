// A primary with a replica that will take its place, and a replica of that one, so that each primary has one to wait for.
import { join } from 'node:path';
import { type Server, startRedis } from '@roster/local-stack';
import { openLine } from '@roster/testkit';
import { Redis } from 'ioredis';
import { until } from './wait.ts';

const replicaOf = ({ port }: Server): string[] => [
  '--replicaof',
  '127.0.0.1',
  String(port),
  '--repl-diskless-sync-delay',
  '0',
];

const hasSynced = async (redis: Redis): Promise<boolean> =>
  (await redis.info('replication')).includes('master_link_status:up');

const clientOf = (server: Server): Redis => {
  const redis = new Redis(server.url);
  redis.on('error', () => {});
  return redis;
};

/** Services know the primary by a name; the test talks to the heir directly. */
export const openRedisPair = async (dir: string) => {
  const start = (name: string, args: string[] = []) => startRedis({ dir: join(dir, name), args });
  const primary = await start('primary');
  const heir = await start('heir', replicaOf(primary));
  const last = await start('last', replicaOf(heir));
  const [redis, watcher] = [clientOf(heir), clientOf(last)];
  for (const each of [redis, watcher])
    if ((await until(10_000, () => hasSynced(each))) === undefined)
      throw new Error('a replica does not sync');
  const line = await openLine(new URL(primary.url));
  return {
    url: `redis://127.0.0.1:${line.port}`,
    /** The heir. */
    redis,
    /** The machine of the primary is gone: nothing passes, and no client is told. A stopped process takes connections, and is silent on them. */
    vanish() {
      line.vanish();
      process.kill(primary.pid, 'SIGSTOP');
    },
    async promote() {
      await redis.replicaof('NO', 'ONE');
      line.moveTo(heir.port);
    },
    async close() {
      for (const each of [redis, watcher]) each.disconnect();
      line.cut();
      process.kill(primary.pid, 'SIGCONT');
      for (const server of [last, heir, primary]) await server.stop();
    },
  };
};

export type RedisPair = Awaited<ReturnType<typeof openRedisPair>>;

// A primary with two replicas, and three sentinels that name another primary when it is gone.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  anyFreePort,
  ensureRedis,
  type Launched,
  launch,
  type RightsOf,
  redisRights,
  type Server,
  startRedis,
} from '@roster/local-stack';
import { Redis } from 'ioredis';
import { until } from './wait.ts';

const name = 'roster';
/** So long a primary is silent before a sentinel believes that it is gone. */
const downAfterMs = 2_000;
const patienceMs = 30_000;

const prompt = ['--repl-diskless-sync-delay', '0'];

/** The services have no more rights than docs/redis.md gives them, of Redis and of its sentinels. */
const password = 'secret';
const userOf = (user: RightsOf): string[] => [user, `>${password}`, ...redisRights(user)];
const query = `sentinel_username=roster-watch&sentinel_password=${password}`;

const replicaOf = ({ port }: { port: number }): string[] => ['--replicaof', '127.0.0.1', String(port)];

const ask = async <T>(port: number, question: (redis: Redis) => Promise<T>): Promise<T> => {
  const redis = new Redis(port, {
    commandTimeout: 1_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => {});
  try {
    return await question(redis);
  } finally {
    redis.disconnect();
  }
};

const startSentinel = async (dir: string, primary: number): Promise<{ port: number; launched: Launched }> => {
  const port = await anyFreePort();
  const settings = join(dir, `sentinel-${port}.conf`);
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${dir}`,
    `sentinel monitor ${name} 127.0.0.1 ${primary} 2`,
    `sentinel down-after-milliseconds ${name} ${downAfterMs}`,
    `sentinel failover-timeout ${name} 10000`,
    `user ${userOf('roster-watch').join(' ')}`,
  ];
  writeFileSync(settings, `${lines.join('\n')}\n`);
  const place = { logFile: join(dir, `${port}.log`), pidFile: join(dir, `${port}.json`), cwd: dir };
  const command = await ensureRedis({});
  const launched = await launch({ command, args: [settings, '--sentinel'], ...place });
  return { port, launched };
};

interface Node {
  readonly port: number;
  signal(name: NodeJS.Signals): void;
  /** Without warning. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Two replicas follow, and the sentinels know them and each other. */
const isWhole = async (primary: Node, sentinels: readonly { port: number }[]): Promise<boolean> => {
  const replication = await ask(primary.port, (redis) => redis.info('replication'));
  if (!replication.includes('connected_slaves:2') || replication.includes('state=wait')) return false;
  const known = sentinels.map(({ port }) =>
    ask(port, async (redis) => {
      const [others, replicas] = await Promise.all([
        redis.call('SENTINEL', 'SENTINELS', name),
        redis.call('SENTINEL', 'REPLICAS', name),
      ]);
      return (others as unknown[]).length === 2 && (replicas as unknown[]).length === 2;
    }),
  );
  return (await Promise.all(known)).every(Boolean);
};

const startNode = async (dir: string, args: string[]): Promise<Node> => {
  const begin = (port = 0): Promise<Server> =>
    startRedis({ dir, port, args: [...prompt, ...args, '--user', ...userOf('roster')] });
  let server = await begin();
  const { port } = server;
  return {
    port,
    signal: (name) => void process.kill(server.pid, name),
    async kill() {
      if (!server.process.isRunning()) return;
      server.process.child.kill('SIGKILL');
      await server.process.exited;
    },
    async start() {
      server = await begin(port);
    },
  };
};

export const openRedisSentinels = async () => {
  const dir = mkdtempSync(join(tmpdir(), 'roster-sentinels-'));
  const first = await startNode(join(dir, '1'), []);
  const others = await Promise.all(['2', '3'].map((place) => startNode(join(dir, place), replicaOf(first))));
  const nodes = [first, ...others];
  const sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(dir, first.port)));

  /** As most sentinels say. */
  const primary = async (): Promise<Node> => {
    const asked = sentinels.map(({ port }) =>
      ask(port, (redis) => redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name)),
    );
    const ports = (await Promise.all(asked)).map((found) => Number((found as [string, string])[1]));
    const [port] = ports.filter((one, index) => ports.indexOf(one) !== index);
    const found = nodes.find((node) => node.port === port);
    if (!found) throw new Error(`the sentinels do not agree: ${ports.join(' ')}`);
    return found;
  };

  const whole = async (): Promise<void> => {
    if ((await until(patienceMs, async () => isWhole(await primary(), sentinels), 200)) === undefined)
      throw new Error('the sentinels do not know all servers');
  };

  await whole();
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    url: `redis+sentinel://roster:${password}@${hosts}/${name}?${query}`,
    /** Without a user: it has all rights. */
    allRights: `redis+sentinel://${hosts}/${name}`,
    primary,
    /** Waits until all servers are there and known. */
    whole,
    replicas: async (): Promise<Node[]> => {
      const now = await primary();
      return nodes.filter((node) => node !== now);
    },
    async close() {
      for (const { launched } of sentinels) {
        launched.child.kill('SIGKILL');
        await launched.exited;
      }
      for (const node of nodes) await node.kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
};

export type RedisSentinels = Awaited<ReturnType<typeof openRedisSentinels>>;

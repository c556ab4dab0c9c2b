/** A Redis of three members with three Sentinels, as on three machines. Each can be killed, frozen and started again; a member can be cut off. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ensureRedis,
  type Kind,
  makePrivateFolder,
  pingRedis,
  startRedis,
  startServer,
} from '@roster/local-stack';
import { Redis } from 'ioredis';
import { type Line, openLine } from './line.ts';
import { until } from './until.ts';

const name = 'roster';
const quorum = 2;
/** As production.md says. */
const settings = [
  ['down-after-milliseconds', 3_000],
  ['failover-timeout', 10_000],
] as const;

export interface SentinelOptions {
  dir: string;
  /** A server of another kind or version: Valkey. */
  program?: string;
  /** Lines more for the configuration of each, as of users. */
  also?: { members?: readonly string[]; sentinels?: readonly string[] };
}

/** Both keep there what they learn, and know it when they are started again. */
const configure = (folder: string, name: string, lines: readonly string[]): string => {
  const file = join(folder, name);
  makePrivateFolder(folder);
  if (!existsSync(file)) writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
};

/** Asks one server, on a connection of its own. */
const ask = async <Value>(port: number, question: (redis: Redis) => Promise<Value>): Promise<Value> => {
  const redis = new Redis(port, '127.0.0.1', {
    lazyConnect: true,
    enableReadyCheck: false,
    retryStrategy: () => null,
    connectTimeout: 1_000,
    commandTimeout: 2_000,
  });
  redis.on('error', () => {});
  try {
    await redis.connect();
    return await question(redis);
  } finally {
    redis.disconnect();
  }
};

interface Startable {
  port: number;
  pid: number;
  process: { child: { kill(signal: NodeJS.Signals): void }; exited: Promise<unknown>; isRunning(): boolean };
  stop(): Promise<unknown>;
}

const aServer = async <One extends Startable>(start: (port?: number) => Promise<One>) => {
  let server = await start();
  const { port } = server;
  const signal = (signal: NodeJS.Signals): void => void process.kill(server.pid, signal);
  return {
    port,
    signal,
    ask: <Value>(question: (redis: Redis) => Promise<Value>) => ask(port, question),
    /** Without warning. */
    async kill(): Promise<void> {
      server.process.child.kill('SIGKILL');
      await server.process.exited;
    },
    async start(): Promise<void> {
      if (!server.process.isRunning()) server = await start(port);
    },
    async stop(): Promise<void> {
      if (!server.process.isRunning()) return;
      signal('SIGCONT');
      await server.stop();
    },
  };
};

type RedisServer = Awaited<ReturnType<typeof aServer>>;

export interface Member extends RedisServer {
  /** By which clients and the others know it. */
  line: Line;
}

const startMember = async (
  { dir: site, program, also }: SentinelOptions,
  n: number,
  first?: number,
): Promise<Member> => {
  const line = await openLine(new URL('redis://127.0.0.1:1'));
  const dir = join(site, `member-${n}`);
  const file = configure(dir, 'redis.conf', [
    'replica-announce-ip 127.0.0.1',
    `replica-announce-port ${line.port}`,
    'repl-diskless-sync-delay 0',
    'repl-timeout 5',
    ...(first ? [`replicaof 127.0.0.1 ${first}`] : []),
    ...(also?.members ?? []),
  ]);
  const server = await aServer((port = 0) => startRedis({ dir, file, port, ...(program && { program }) }));
  line.moveTo(server.port);
  return { ...server, line };
};

const startSentinel = (
  { dir: site, program, also }: SentinelOptions,
  n: number,
  primary: number,
): Promise<RedisServer> => {
  const dir = join(site, `sentinel-${n}`);
  const file = configure(dir, 'sentinel.conf', [
    'bind 127.0.0.1',
    `dir ${dir}`,
    `sentinel monitor ${name} 127.0.0.1 ${primary} ${quorum}`,
    ...settings.map(([setting, value]) => `sentinel ${setting} ${name} ${value}`),
    ...(also?.sentinels ?? []),
  ]);
  const kind: Kind = {
    name: 'sentinel',
    program: async () => program ?? ensureRedis(),
    args: (_, port) => [file, '--sentinel', '--port', String(port)],
    url: (port) => `redis://127.0.0.1:${port}`,
    settle: pingRedis,
  };
  return aServer((port = 0) => startServer(kind, { dir, port }));
};

const linesOf = (text: string): string[] => text.split('\r\n');

/** `roster` is the name of the primary. */
export const openSentinels = async (options: SentinelOptions) => {
  const first = await startMember(options, 0);
  const followers = await Promise.all([1, 2].map((n) => startMember(options, n, first.line.port)));
  const members = [first, ...followers];
  const sentinels = await Promise.all([0, 1, 2].map((n) => startSentinel(options, n, first.line.port)));
  const info = ({ ask }: RedisServer) => ask(async (redis) => linesOf(await redis.info('replication')));
  /** The one to which the Sentinels lead, once it says so itself. */
  const primary = (): Promise<Member> =>
    until(async () => {
      const told = await Promise.allSettled(
        sentinels.map(({ ask }) => ask((redis) => redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name))),
      );
      const ports = told.map((one) => Number((one as { value?: string[] }).value?.[1]));
      const found = members.find(({ line }) => ports.filter((port) => port === line.port).length >= quorum);
      return found && (await info(found).catch((): string[] => [])).includes('role:master') && found;
    });
  /** Everybody follows, and each Sentinel knows the others. */
  const whole = (): Promise<unknown> =>
    until(async () => {
      const ready = async (sentinel: RedisServer) =>
        sentinel.ask(async (redis) => {
          const found = await redis.call('SENTINEL', 'CKQUORUM', name);
          return String(found).startsWith('OK 3');
        });
      const [known, follow] = await Promise.all([
        Promise.all(sentinels.map(ready)).catch(() => [false]),
        primary().then(info),
      ]);
      const online = follow.filter((line) => /^slave\d+:.*state=online/.test(line)).length;
      return known.every(Boolean) && online === members.length - 1;
    });
  await whole();
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    url: `redis+sentinel://${hosts}/${name}`,
    members,
    sentinels,
    primary,
    whole,
    /** The Sentinels give the place of the primary to another member. */
    async stepDown(): Promise<void> {
      const before = await primary();
      await (sentinels[0] as RedisServer).ask((redis) => redis.call('SENTINEL', 'FAILOVER', name));
      await until(async () => (await primary()) !== before);
    },
    /** By hand, with the command of Redis: no connection is closed, and the old primary refuses what is written. */
    async handOver(): Promise<void> {
      const before = await primary();
      const [heir, other] = members.filter((member) => member !== before) as [Member, Member];
      const to = ['127.0.0.1', heir.line.port] as const;
      await before.ask((redis) => redis.call('FAILOVER', 'TO', ...to));
      await until(async () => (await info(heir)).includes('role:master'));
      await other.ask((redis) => redis.replicaof(...to));
      for (const { ask } of sentinels)
        await ask(async (redis) => {
          await redis.call('SENTINEL', 'REMOVE', name);
          await redis.call('SENTINEL', 'MONITOR', name, ...to, quorum);
          for (const setting of settings) await redis.call('SENTINEL', 'SET', name, ...setting);
        });
    },
    async close(): Promise<void> {
      await Promise.all([...sentinels, ...members].map((one) => one.stop()));
      for (const { line } of members) line.cut();
    },
  };
};

export type Sentinels = Awaited<ReturnType<typeof openSentinels>>;

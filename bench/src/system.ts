// The system under measurement: the processes that `npm start` would start, on data of their own.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Roster } from '@roster/client';
import { type Stack, startStack } from '@roster/local-stack';
import { appleKey, liftLimits } from '@roster/testkit';
import { Redis } from 'ioredis';
import mongoose from 'mongoose';

const { MongoClient } = mongoose.mongo;

const servers = ['redis', 'mongod'];
const partitions = [0, 1, 2, 3]
  .flatMap((i) => [`track-${i}`, `track-heavy-${i}`])
  .map((name) => `{roster:${name}}:${name}`);

const unfinished = async (redis: Redis): Promise<number> => {
  const read = redis.pipeline();
  for (const queue of partitions)
    read.llen(`${queue}:wait`).llen(`${queue}:active`).zcard(`${queue}:delayed`);
  return ((await read.exec()) ?? []).reduce((sum, [, length]) => sum + Number(length), 0);
};

const emptyQueue = async (redis: Redis): Promise<void> => {
  for (const queue of partitions) {
    const ids = await redis.lrange(`${queue}:wait`, 0, -1);
    await redis.del(`${queue}:wait`, ...ids.map((id) => `${queue}:${id}`));
  }
};

const isWorker = (name: string): boolean => name.startsWith('track');

/** The process ids of a stack, by name. */
const pidsOf = ({ processes }: Stack) => {
  const pid = (name: string): number => {
    const found = processes[name]?.pid;
    if (!found) throw new Error(`there is no process named ${name}`);
    return found;
  };
  const pids = (choose: (name: string) => boolean) =>
    Object.fromEntries(
      Object.keys(processes)
        .filter(choose)
        .map((name) => [name, pid(name)]),
    );
  return {
    pid,
    /** The processes that an event passes on its way. */
    pathPids: () => pids((name) => isWorker(name) || ['ingress', ...servers].includes(name)),
    allPids: () => pids(() => true),
    /** Our own processes, without the servers. */
    servicePids: () => pids((name) => !servers.includes(name)),
  };
};

/**
 * The local stack gives MongoDB a cache of one gigabyte, to be a good guest; with that the figures would show, from a million events
 * on, what it costs to do without memory. A server for MongoDB has its default: half of the machine's.
 */
const room = { redis: { maxmemory: '2gb' }, mongo: { cacheGb: 4 } };

/** Where the services find a key for APNs. */
export const apnsKeyVariable = 'ROSTER_CREDENTIAL_APNS';

/** All pages are opened from one IP. */
const env = { PAGES_PER_MINUTE: '100000', [apnsKeyVariable]: appleKey.key };

export const startSystem = async ({ cacheGb = room.mongo.cacheGb } = {}) => {
  const dir = mkdtempSync(join(tmpdir(), 'roster-bench-'));
  const credentials = join(dir, 'credentials');
  mkdirSync(credentials);
  const files = join(dir, 'files');
  mkdirSync(files);
  const stack = await startStack({
    dir,
    say: () => {},
    env: { ...env, CREDENTIALS_DIR: credentials, FILES_DIR: files },
    ...room,
    mongo: { cacheGb },
  });
  const redis = new Redis(stack.redisUrl);
  const mongo = await MongoClient.connect(stack.mongoUrl);
  await liftLimits(redis, mongo.db(), stack.workspace);
  await mongo.close();

  const workers = Object.keys(stack.processes).filter(isWorker);
  const quiet = async () => {
    while ((await unfinished(redis)) > 0) await sleep(10);
  };

  return {
    trackUrl: `${stack.baseUrl}/users/track`,
    apiKey: stack.apiKey,
    /** For what is asked beside a measurement. */
    roster: new Roster({ url: stack.baseUrl, key: stack.apiKey }),
    workspace: stack.workspace,
    mongoUrl: stack.mongoUrl,
    redisUrl: stack.redisUrl,
    dir,
    /** Where credentials of files are. */
    credentials,
    /** Where integrations may read folders. */
    files,
    ...pidsOf(stack),
    async stopWorkers(): Promise<void> {
      for (const name of workers) await stack.processes[name]?.kill('SIGTERM');
    },
    async startWorkers(): Promise<void> {
      for (const name of workers) await stack.processes[name]?.restart();
    },
    /** Waits until nothing is queued or at work. */
    quiet,
    /** Throws away what is queued. */
    emptyQueue: () => emptyQueue(redis),
    redisBytes: async () => Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]),
    async stop(): Promise<void> {
      redis.disconnect();
      await stack.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
};

export type System = Awaited<ReturnType<typeof startSystem>>;

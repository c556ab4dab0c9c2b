/** MongoDB and Redis, opened when a command first needs them. */
import {
  createDeadLetters,
  createPartitions,
  type DeadLetters,
  openConnection,
  type Partitions,
  requestId,
} from '@roster/queue';
import type { Config } from '@roster/runtime';
import type { Secrets } from '@roster/secrets';
import { openStore, type Store } from '@roster/store';
import type { Redis } from 'ioredis';
import { failed } from './result.ts';

export interface Servers {
  /** The workspace of commands that are given none: ROSTER_WORKSPACE. */
  workspace?: string;
  /** The id of a request by its stamp. Missing without the secret; the proof of erased people can't be found then either. */
  requestIdOf?(ws: string, stamp: number): string;
  store(): Promise<Store>;
  redis(): Promise<Redis>;
  /** Of the queues of track. */
  partitions(): Promise<Partitions>;
  deadLetters(): Promise<DeadLetters>;
  close(): Promise<void>;
}

/** Host and port, without a password. */
const placeOf = (url: string): string =>
  /@?([^@/]+)(\/|$)/.exec(url.replace(/^[a-z+]+:\/\//, ''))?.[1] ?? 'its address';

const why = (error: unknown): string =>
  (error instanceof Error ? error.message.split('\n', 1)[0] : undefined) ?? 'no answer';

const away = (name: string, variable: string, url: string) => (error: unknown) => {
  throw failed(
    `${name} at ${placeOf(url)} does not answer (${why(error)}). Start the local stack with "npm start", or set ${variable}.`,
  );
};

const connectRedis = async (url: string): Promise<Redis> => {
  const redis = openConnection('operator', url);
  await redis.connect();
  return redis;
};

/** Made at the first call, and reused. */
const once = <Thing>(make: () => Promise<Thing>) => {
  let thing: Promise<Thing> | undefined;
  return {
    get: () => {
      thing ??= make();
      return thing;
    },
    // Who asked for it has heard of its failure.
    opened: () => thing?.catch(() => undefined),
  };
};

interface Known {
  secret?: Secrets | undefined;
  workspace?: string | undefined;
}

export const openServers = (config: Config<'cli'>, { secret, workspace }: Known): Servers => {
  const { REDIS_URL, MONGO_URL, TRACK_PARTITIONS } = config;
  const store = once(() =>
    openStore({
      url: MONGO_URL,
      appName: 'roster-cli',
      patienceMs: 0,
      // An export walks over all people, and may search for long until it finds the next one.
      socketTimeoutMs: 0,
      ...(secret !== undefined && { secret }),
    }).catch(away('MongoDB', 'MONGO_URL', MONGO_URL)),
  );
  const redis = once(() => connectRedis(REDIS_URL).catch(away('Redis', 'REDIS_URL', REDIS_URL)));
  const deadLetters = once(async () => createDeadLetters(await redis.get()));
  const partitions = once(async () => createPartitions(await redis.get(), TRACK_PARTITIONS));
  return {
    ...(workspace && { workspace }),
    ...(secret !== undefined && { requestIdOf: (ws, stamp) => requestId(secret, ws, stamp) }),
    store: store.get,
    redis: redis.get,
    partitions: partitions.get,
    deadLetters: deadLetters.get,
    async close() {
      // The command is over, and its connection goes with the process.
      await (await deadLetters.opened())?.close().catch(() => {});
      await (await store.opened())?.close();
      (await redis.opened())?.disconnect();
    },
  };
};

/** Redis and MongoDB of a stack: started here, or used by their URLs. */
import type { Say } from '../find/search.ts';
import { startMongo } from '../servers/mongo.ts';
import { assertReachable } from '../servers/reach.ts';
import { startRedis } from '../servers/redis.ts';
import type { Server } from '../servers/server.ts';
import type { Home } from './home.ts';
import type { StackOptions } from './options.ts';
import { type Part, type PartOptions, startPart } from './part.ts';

export interface Backing {
  url: string;
}

interface Ground {
  home: Home;
  options: StackOptions;
  say: Say;
  watch: Pick<PartOptions, 'supervise' | 'changed'>;
  /** What was started is noted here. */
  started: Part[];
}

const stopWithinMs = 30_000;

type Start = (where: { dir: string; say: Say; port?: number }) => Promise<Server>;

const startBacking = async (name: string, folder: string, start: Start, ground: Ground): Promise<Backing> => {
  const { home, say, watch, started } = ground;
  const last: { server?: Server } = {};
  const launch = async () => {
    // Its clients know its port: once it has one, it keeps it.
    const port = last.server && { port: last.server.port };
    last.server = await start({ dir: home.dataDir(folder), say, ...port });
    return last.server.process;
  };
  started.push(await startPart({ name, start: launch, stopWithinMs, say, ...watch }));
  return { url: last.server?.url ?? '' };
};

/** One after the other: what they say while something is fetched stays readable. */
export const startBackings = async (ground: Ground): Promise<{ redis: Backing; mongo: Backing }> => {
  const { url: redisUrl, ...redisOptions } = ground.options.redis ?? {};
  const { url: mongoUrl, ...mongoOptions } = ground.options.mongo ?? {};
  const redis: Start = (where) => startRedis({ ...redisOptions, ...where });
  const mongo: Start = (where) => startMongo({ ...mongoOptions, ...where });
  if (redisUrl)
    await assertReachable({ name: 'Redis', variable: 'REDIS_URL', url: redisUrl, usualPort: 6379 });
  if (mongoUrl)
    await assertReachable({ name: 'MongoDB', variable: 'MONGO_URL', url: mongoUrl, usualPort: 27017 });
  return {
    redis: redisUrl ? { url: redisUrl } : await startBacking('redis', 'redis', redis, ground),
    mongo: mongoUrl ? { url: mongoUrl } : await startBacking('mongod', 'mongo', mongo, ground),
  };
};

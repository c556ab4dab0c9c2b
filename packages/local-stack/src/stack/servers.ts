/** Redis and MongoDB of a stack: started here, or used by their URLs. */
import type { Say } from '../find/search.ts';
import { startMongo } from '../servers/mongo.ts';
import { assertReachable } from '../servers/reach.ts';
import { startRedis } from '../servers/redis.ts';
import type { Server } from '../servers/server.ts';
import type { Home } from './home.ts';
import type { StackOptions } from './options.ts';
import { type Part, type PartOptions, startPart } from './part.ts';

/** A stack as it comes up, runs and goes down. */
export interface Site {
  home: Home;
  options: StackOptions;
  say: Say;
  /** What is up so far. */
  backings: Part[];
  services: Part[];
  ports: Map<string, number>;
  changed: () => void;
}

export const startIn = (
  site: Site,
  part: Pick<PartOptions, 'name' | 'start' | 'stopWithinMs'>,
): Promise<Part> =>
  startPart({
    ...part,
    supervise: site.options.supervise ?? false,
    say: site.say,
    changed: () => site.changed(),
  });

const stopWithinMs = 30_000;

type Start = (where: { dir: string; say: Say; port?: number }) => Promise<Server>;

const startBacking = async (name: string, folder: string, start: Start, site: Site): Promise<string> => {
  const { home, say, backings } = site;
  const last: { server?: Server } = {};
  const launch = async () => {
    // Its clients know its port: once it has one, it keeps it.
    const port = last.server && { port: last.server.port };
    last.server = await start({ dir: home.dataDir(folder), say, ...port });
    return last.server.process;
  };
  backings.push(await startIn(site, { name, start: launch, stopWithinMs }));
  return last.server?.url ?? '';
};

/** Their URLs. One after the other: what they say while something is fetched stays readable. */
export const startBackings = async (site: Site): Promise<{ redisUrl: string; mongoUrl: string }> => {
  const { url: redisUrl, ...redisOptions } = site.options.redis ?? {};
  const { url: mongoUrl, ...mongoOptions } = site.options.mongo ?? {};
  const redis: Start = (where) => startRedis({ ...redisOptions, ...where });
  const mongo: Start = (where) => startMongo({ ...mongoOptions, ...where });
  if (redisUrl) await assertReachable({ name: 'Redis', variable: 'REDIS_URL', url: redisUrl });
  if (mongoUrl) await assertReachable({ name: 'MongoDB', variable: 'MONGO_URL', url: mongoUrl });
  return {
    redisUrl: redisUrl || (await startBacking('redis', 'redis', redis, site)),
    mongoUrl: mongoUrl || (await startBacking('mongod', 'mongo', mongo, site)),
  };
};

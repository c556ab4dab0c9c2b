/** Limits of a workspace of a running system, changed behind its back. */
import { operations, work } from '@roster/contract';
import type { Redis } from 'ioredis';
import type mongoose from 'mongoose';

const pools = [
  ...new Set([work.pool, ...operations.map(({ limit }) => limit.pool)]),
  'broadcasts',
  'broadcasts_to_one_audience',
];

export const unlimited = { requests: 1_000_000_000, seconds: 60 };

type Limits = Record<string, typeof unlimited>;

export const setLimits = async (
  redis: Redis,
  mongo: mongoose.mongo.Db,
  workspace: string,
  limits: Limits,
): Promise<void> => {
  const text = await redis.hget('roster:workspaces', workspace);
  if (!text) throw new Error(`there is no workspace ${workspace}`);
  const settings = JSON.parse(text) as { limits: Limits };
  Object.assign(settings.limits, limits);
  const kept = mongo.collection<{ _id: string }>('workspaces');
  await kept.updateOne({ _id: workspace }, { $set: { limits: settings.limits } });
  await redis.hset('roster:workspaces', workspace, JSON.stringify(settings));
  await redis.publish('roster:access', `workspace:${workspace}`);
};

/** No request may be refused for its rate: rate limits are not on trial. */
export const liftLimits = (redis: Redis, mongo: mongoose.mongo.Db, workspace: string): Promise<void> =>
  setLimits(redis, mongo, workspace, Object.fromEntries(pools.map((pool) => [pool, unlimited])));

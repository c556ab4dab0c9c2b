import type { Redis } from 'ioredis';
import type { Db } from './mongo.ts';

const pools = [
  'default',
  'subscription.status.set',
  'users.export.ids',
  'users.external_ids.remove',
  'users.external_ids.rename',
  'users.identity',
  'users.track',
];

/** Nobody may be refused for sending too much: rate limits are not what is on trial. */
export const liftLimits = async (redis: Redis, mongo: Db, workspace: string): Promise<void> => {
  const text = await redis.hget('roster:workspaces', workspace);
  if (!text) throw new Error(`there is no workspace ${workspace}`);
  const settings = JSON.parse(text) as { limits: Record<string, unknown> };
  for (const pool of pools) settings.limits[pool] = { requests: 1_000_000_000, seconds: 60 };
  const kept = mongo.collection<{ _id: string }>('workspaces');
  await kept.updateOne({ _id: workspace }, { $set: { limits: settings.limits } });
  await redis.hset('roster:workspaces', workspace, JSON.stringify(settings));
  await redis.publish('roster:access', `workspace:${workspace}`);
};

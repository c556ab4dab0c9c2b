import { operations, work } from '@roster/contract';
import type { Redis } from 'ioredis';
import type { Db } from './mongo.ts';

const pools = [...new Set([work.pool, ...operations.map(({ limit }) => limit.pool)])];
const unlimited = { requests: 1_000_000_000, seconds: 60 };

interface Limited {
  kind: 'workspace' | 'company';
  /** The hash of the serving copy, and the collection. */
  place: 'workspaces' | 'companies';
  pools: readonly string[];
}

/** In MongoDB, too: the monitor compares the serving copy with it. */
const lift =
  ({ kind, place, pools: lifted }: Limited) =>
  async (redis: Redis, mongo: Db, id: string): Promise<void> => {
    const text = await redis.hget(`roster:${place}`, id);
    if (!text) throw new Error(`there is no ${kind} ${id}`);
    const settings = JSON.parse(text) as { limits: Record<string, unknown> };
    for (const pool of lifted) settings.limits[pool] = unlimited;
    await mongo
      .collection<{ _id: string }>(place)
      .updateOne({ _id: id }, { $set: { limits: settings.limits } });
    await redis.hset(`roster:${place}`, id, JSON.stringify(settings));
    await redis.publish('roster:access', `${kind}:${id}`);
  };

/** No request may be refused for its rate: rate limits are not on trial. */
export const liftLimits = lift({ kind: 'workspace', place: 'workspaces', pools });
export const liftCompanyLimits = lift({ kind: 'company', place: 'companies', pools: ['scim'] });

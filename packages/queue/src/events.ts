/** Security events on their way from the ingress to the monitor: a short list of batches in Redis. When it is full, the oldest are dropped. */
import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { securityKey } from './names.ts';

/** A batch has at most 500 events of some 200 bytes. */
const mostBatches = 200;

export const leaveEvents = async (redis: Redis, events: readonly object[]): Promise<void> => {
  if (events.length === 0) return;
  const batch = JSON.stringify({ name: `e-${randomBytes(9).toString('base64url')}`, events });
  await redis.multi().rpush(securityKey, batch).ltrim(securityKey, -mostBatches, -1).exec();
};

interface EventBatch {
  name: string;
  events: object[];
}

/** Each batch is removed after `keep` has kept it. After a crash in between, it comes again under the same name. */
export const takeEvents = async (
  redis: Redis,
  keep: (name: string, events: readonly object[]) => Promise<void>,
): Promise<void> => {
  for (let taken = 0; taken < mostBatches; taken++) {
    const text = await redis.lindex(securityKey, 0);
    if (text === null) return;
    const { name, events }: EventBatch = JSON.parse(text);
    await keep(name, events);
    await redis.lrem(securityKey, 1, text);
  }
};

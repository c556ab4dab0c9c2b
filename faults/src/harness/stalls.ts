import { allQueues } from '@roster/queue';
import type { Redis } from 'ioredis';

/** As many as the local stack has. */
const partitions = 4;

/** Listens to the event streams of all queues and counts the jobs that a worker let fall. */
export const countStalls = (redis: Redis) => {
  const own = redis.duplicate();
  own.on('error', () => {});
  const streams = allQueues(partitions).map(({ name, prefix }) => `${prefix}:${name}:events`);
  const last = new Map(streams.map((stream) => [stream, '$']));
  let stalls = 0;
  const read = async (): Promise<void> => {
    const answer = await own.xread('COUNT', 1_000, 'BLOCK', 0, 'STREAMS', ...last.keys(), ...last.values());
    for (const [stream, entries] of answer ?? []) {
      for (const [id, fields] of entries) {
        last.set(stream, id);
        if (fields[fields.indexOf('event') + 1] === 'stalled') stalls++;
      }
    }
  };
  const listen = async () => {
    while (own.status !== 'end') await read();
  };
  listen().catch(() => {});
  return {
    stalls: () => stalls,
    /** The sentence for the findings. */
    broken: () => (stalls === 0 ? [] : [`${stalls} jobs were let fall`]),
    close: () => own.disconnect(),
  };
};

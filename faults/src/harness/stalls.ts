import type { Redis } from 'ioredis';

const names = [0, 1, 2, 3].flatMap((partition) => [`track-${partition}`, `track-heavy-${partition}`]);

/** Listens to the event streams of the track queues and counts the jobs that a worker let fall. */
export const countStalls = (redis: Redis) => {
  const own = redis.duplicate();
  own.on('error', () => {});
  const last = new Map(names.map((name) => [`{roster:${name}}:${name}:events`, '$'] as [string, string]));
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
    close: () => own.disconnect(),
  };
};

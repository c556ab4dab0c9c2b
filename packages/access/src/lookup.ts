/** Reads keys and workspaces from the serving copy: while one question to Redis is under way, the others gather for the next. */
import type { Redis } from 'ioredis';
import { type Found, read } from './read-served.ts';

interface Waiting {
  resolve(found: Found): void;
  reject(reason: Error): void;
}

/** So many different keys in one question; a flood of invented ones costs Redis one small command at a time. */
const mostAtOnce = 500;
const mostWaiting = 10_000;

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

/** Gives each id of a batch its answer. */
const settle = (batch: Map<string, Waiting[]>, find: (id: string) => Found): void => {
  for (const [id, those] of batch) {
    try {
      const found = find(id);
      for (const one of those) one.resolve(found);
    } catch (error) {
      for (const one of those) one.reject(asError(error));
    }
  }
};

export const createLookup = (redis: Redis) => {
  let waiting = new Map<string, Waiting[]>();
  let busy = false;

  const takeBatch = (): Map<string, Waiting[]> => {
    const entries = [...waiting];
    waiting = new Map(entries.slice(mostAtOnce));
    return new Map(entries.slice(0, mostAtOnce));
  };

  const ask = async (): Promise<void> => {
    busy = true;
    while (waiting.size > 0) {
      const batch = takeBatch();
      const find = await read(redis, [...batch.keys()]).catch((error) => () => {
        throw asError(error);
      });
      settle(batch, find);
    }
    busy = false;
  };

  return (id: string): Promise<Found> =>
    new Promise((resolve, reject) => {
      const those = waiting.get(id);
      if (!those && waiting.size >= mostWaiting)
        return reject(new Error('too many keys are being looked up'));
      if (those) those.push({ resolve, reject });
      else waiting.set(id, [{ resolve, reject }]);
      if (!busy) void ask();
    });
};

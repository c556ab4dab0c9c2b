import type { Rate } from '@roster/access';
import { limitKey, Unavailable } from '@roster/queue';
import type { Redis } from 'ioredis';

/** Where a workspace stands in its window; `reset` in epoch seconds. */
export interface Standing {
  ok: boolean;
  limit: number;
  remaining: number;
  reset: number;
}

interface Window {
  /** Which window of the clock this is. */
  number: number;
  /** The requests that this process may still admit without asking Redis. */
  left: number;
  /** Given out in this window to all processes, as far as known. */
  given: number;
  /** The question to Redis that is under way, shared by all requests that wait for its answer. */
  asking?: Promise<void> | undefined;
}

/** Some pools are of one audience: with more windows all are opened anew, and what was taken of them is lost. */
const mostWindows = 100_000;

/** A process takes its allowance from Redis in portions, so that the hot path hardly ever asks. */
const portion = ({ requests }: Rate): number => Math.max(1, Math.floor(requests / 20));

const standing = (window: Window, rate: Rate, ok: boolean): Standing => ({
  ok,
  limit: rate.requests,
  remaining: Math.max(0, rate.requests - window.given + window.left),
  reset: (window.number + 1) * rate.seconds,
});

const use = (window: Window, rate: Rate, amount: number): Standing => {
  window.left -= amount;
  return standing(window, rate, true);
};

/** Adds a portion to the window: the whole one, or the rest of the limit. */
const askRedis = async (
  redis: Redis,
  key: string,
  window: Window,
  { rate, amount }: { rate: Rate; amount: number },
): Promise<void> => {
  const count = Math.max(portion(rate), amount - window.left);
  const results = await redis
    .multi()
    .incrby(key, count)
    .expire(key, rate.seconds + 5)
    .exec();
  const [error, total] = results?.[0] ?? [new Error('no answer'), 0];
  if (error) throw error;
  window.left += Math.max(0, count - Math.max(0, Number(total) - rate.requests));
  window.given = Math.min(Number(total), rate.requests);
};

/**
 * Fixed windows, aligned with the clock, shared by all ingress processes. What a process has taken and not used is lost at the end
 * of the window: at most a twentieth of the limit for each process.
 */
export const createLimiter = ({ redis, now = Date.now }: { redis: Redis; now?: () => number }) => {
  const windows = new Map<string, Window>();

  const windowOf = (name: string, rate: Rate): Window => {
    const number = Math.floor(now() / 1000 / rate.seconds);
    const known = windows.get(name);
    if (known?.number === number) return known;
    if (windows.size >= mostWindows) windows.clear();
    const opened: Window = { number, left: 0, given: 0 };
    windows.set(name, opened);
    return opened;
  };

  const wait = async (key: string, window: Window, rate: Rate, amount: number): Promise<Standing> => {
    while (window.left < amount) {
      if (window.given >= rate.requests) return standing(window, rate, false);
      window.asking ??= askRedis(redis, key, window, { rate, amount }).finally(() => {
        window.asking = undefined;
      });
      await window.asking.catch((error) => {
        throw new Unavailable(error);
      });
    }
    return use(window, rate, amount);
  };

  return {
    /** Requests, or points of a pool that counts these. Answers at once while the process has allowance left. */
    take(ws: string, pool: string, rate: Rate, amount = 1): Standing | Promise<Standing> {
      const window = windowOf(`${ws}:${pool}`, rate);
      if (window.left >= amount) return use(window, rate, amount);
      return wait(limitKey(ws, pool, window.number), window, rate, amount);
    },
  };
};

export type Limiter = ReturnType<typeof createLimiter>;

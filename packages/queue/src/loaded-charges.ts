/** Charges the bytes of profiles that workers load to the workspace of the requests: once a second, in points. */
import type { Redis } from 'ioredis';
import { type Charge, chargeWork } from './charge-work.ts';

export interface LoadedChargesOptions {
  redis: Redis;
  /** The limit of the workspace's pool `work`. */
  rateOf(ws: string): Charge['rate'] | Promise<Charge['rate']>;
  /** The points for so many bytes that were loaded in one second. */
  pointsOf(bytes: number): number;
  everyMs?: number;
}

export interface LoadedCharges {
  add(ws: string, bytes: number): void;
  close(): Promise<void>;
}

export const createLoadedCharges = ({
  redis,
  rateOf,
  pointsOf,
  everyMs = 1000,
}: LoadedChargesOptions): LoadedCharges => {
  let loaded = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  const charge = async ([ws, bytes]: readonly [string, number]): Promise<void> => {
    const points = pointsOf(bytes);
    if (points > 0) await chargeWork(redis, { ws, rate: await rateOf(ws), points });
  };

  const settle = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const due = [...loaded];
    loaded = new Map();
    // Charges are dropped while a server is away: the work is done.
    await Promise.allSettled(due.map(charge));
  };

  return {
    add(ws, bytes) {
      loaded.set(ws, (loaded.get(ws) ?? 0) + bytes);
      timer ??= setTimeout(settle, everyMs).unref();
    },
    async close() {
      if (redis.status === 'ready') await settle();
      else clearTimeout(timer);
    },
  };
};

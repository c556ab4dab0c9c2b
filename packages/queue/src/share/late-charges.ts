/**
 * Charges work whose amount is known only afterwards, such as bytes of profiles that a worker loads: to the workspace of the requests, once a
 * second, in points.
 */
import type { Redis } from 'ioredis';
import { type Charge, chargeWork } from './charge-work.ts';

export interface LateChargesOptions {
  redis: Redis;
  /** The limit of the workspace's pool `work`. */
  rateOf(ws: string): Charge['rate'] | Promise<Charge['rate']>;
  /** The points for an amount of work in one second: bytes, or microseconds. */
  pointsOf(amount: number): number;
  everyMs?: number;
}

export const createLateCharges = ({ redis, rateOf, pointsOf, everyMs = 1000 }: LateChargesOptions) => {
  let done = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  const charge = async ([ws, amount]: readonly [string, number]): Promise<void> => {
    const points = pointsOf(amount);
    if (points > 0) await chargeWork(redis, { ws, rate: await rateOf(ws), points });
  };

  const settle = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const due = [...done];
    done = new Map();
    // Charges are dropped while a server is away: the work is done.
    await Promise.allSettled(due.map(charge));
  };

  return {
    add(ws: string, amount: number): void {
      done.set(ws, (done.get(ws) ?? 0) + amount);
      timer ??= setTimeout(settle, everyMs).unref();
    },
    async close(): Promise<void> {
      if (redis.status === 'ready') await settle();
      else clearTimeout(timer);
    },
  };
};

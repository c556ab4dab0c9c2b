import type { Redis } from 'ioredis';
import { type Gauge, readGauge } from './gauge.ts';
import type { QueueName } from './names.ts';
import { type PressureLimits, refusalReason } from './pressure-limits.ts';

export interface Pressure {
  /** Why new work must be refused just now, or undefined. */
  refusal(): string | undefined;
  gauge(): Gauge | undefined;
  close(): void;
}

/** Looks a few times a second; between two looks the ingress cannot accept more than a fraction of the free memory. */
export const watchPressure = (options: {
  redis: Redis;
  queues: readonly QueueName[];
  limits: PressureLimits;
  everyMs?: number;
}): Pressure => {
  const { redis, queues, limits, everyMs = 200 } = options;
  let gauge: Gauge | undefined;
  let looking = false;

  const look = async (): Promise<void> => {
    if (looking || redis.status !== 'ready') return;
    looking = true;
    try {
      gauge = await readGauge(redis, queues);
    } catch {
      // Redis is away: the commit itself says so.
    } finally {
      looking = false;
    }
  };

  const timer = setInterval(look, everyMs);
  timer.unref();
  void look();
  return {
    refusal: () => (gauge ? refusalReason(gauge, limits) : undefined),
    gauge: () => gauge,
    close: () => clearInterval(timer),
  };
};

import type { Redis } from 'ioredis';
import { stampOfGroupId } from '../group.ts';
import { readAll, type Unfinished } from '../order/fence.ts';
import type { Queues } from '../partitions.ts';

/** The state of the queue's Redis, as the ingress last read it. */
export interface Gauge {
  usedBytes: number;
  maxBytes: number;
  oldestMs: number;
}

/** For a Redis that has no limit of its own. */
const usualMaxmemory = 1024 ** 3;

/** Bytes of a share of the memory that Redis may use. */
export const shareOfMemory = (share: number, gauge: Gauge | undefined): number =>
  share * (gauge?.maxBytes || usualMaxmemory);

/** The variables of a service. */
interface PressureLimits {
  SHED_MEMORY_SHARE: number;
  /** 0: no limit beside the share of maxmemory. */
  SHED_MEMORY_BYTES: number;
  SHED_OLDEST_MINUTES: number;
}

/** A full Redis is a deadlock (workers can't take jobs either), so the ingress says no well before. */
const refusalReason = (gauge: Gauge, limits: PressureLimits): string | undefined => {
  const { usedBytes, maxBytes, oldestMs } = gauge;
  if (maxBytes > 0 && usedBytes >= maxBytes * limits.SHED_MEMORY_SHARE) return 'memory';
  if (limits.SHED_MEMORY_BYTES > 0 && usedBytes >= limits.SHED_MEMORY_BYTES) return 'memory';
  return oldestMs >= limits.SHED_OLDEST_MINUTES * 60_000 ? 'age' : undefined;
};

const numberIn = (info: string, field: string): number =>
  Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);

const oldestAgeMs = (queues: readonly Unfinished[], nowMs: number): number => {
  const ids = queues.flatMap(({ active, front }) => [...front, ...active]);
  const oldest = Math.min(...ids.map((id) => stampOfGroupId(id) ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(oldest) ? Math.max(0, nowMs - oldest / 1000) : 0;
};

export const readGauge = async (redis: Redis, queues: Queues): Promise<Gauge> => {
  const [info, unfinished] = await Promise.all([redis.info('memory'), readAll(redis, queues)]);
  return {
    usedBytes: numberIn(info, 'used_memory'),
    maxBytes: numberIn(info, 'maxmemory'),
    oldestMs: oldestAgeMs(unfinished, Date.now()),
  };
};

/** Looks a few times a second; between two looks the ingress can't take in more than a fraction of what is left. */
export const watchPressure = (options: { redis: Redis; queues: Queues; limits: PressureLimits }) => {
  const { redis, queues, limits } = options;
  let gauge: Gauge | undefined;
  let looking = false;

  const look = async (): Promise<void> => {
    if (looking || redis.status !== 'ready') return;
    looking = true;
    try {
      gauge = await readGauge(redis, queues);
    } catch {
      // Redis is away: the commit reports it.
    } finally {
      looking = false;
    }
  };

  const timer = setInterval(look, 200);
  timer.unref();
  void look();
  return {
    /** Why new work is refused at the moment, or `undefined`. */
    refusal: (): string | undefined => (gauge ? refusalReason(gauge, limits) : undefined),
    gauge: (): Gauge | undefined => gauge,
    close: (): void => clearInterval(timer),
  };
};

export type Pressure = ReturnType<typeof watchPressure>;

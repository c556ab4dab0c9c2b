/** The memory of Redis and the age of the backlog. */
import type { Redis } from 'ioredis';
import { stampOfGroupId } from './group-id.ts';
import type { QueueName } from './names.ts';
import { readUnfinished, type Unfinished } from './unfinished.ts';

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

const numberIn = (info: string, field: string): number =>
  Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);

const oldestAgeMs = (queues: readonly Unfinished[], nowMs: number): number => {
  const ids = queues.flatMap(({ active, front }) => [...front, ...active]);
  const oldest = Math.min(...ids.map((id) => stampOfGroupId(id) ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(oldest) ? Math.max(0, nowMs - oldest / 1000) : 0;
};

export const readGauge = async (redis: Redis, queues: readonly QueueName[]): Promise<Gauge> => {
  const [info, ...unfinished] = await Promise.all([
    redis.info('memory'),
    ...queues.map((queue) => readUnfinished(redis, queue)),
  ]);
  return {
    usedBytes: numberIn(info, 'used_memory'),
    maxBytes: numberIn(info, 'maxmemory'),
    oldestMs: oldestAgeMs(unfinished, Date.now()),
  };
};

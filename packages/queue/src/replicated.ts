/**
 * Nothing is applied before as many replicas have its job as its caller was promised. Otherwise a failover could forget a request, and its
 * idempotency key, whose effect is already in MongoDB: its caller, who got no answer, would send it again, and it would count twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { openConnection } from './connection.ts';
import { replicasWithinMs } from './connection-kinds.ts';
import { type QueueName, queueKey } from './names.ts';
import { Released } from './settle.ts';

const pauseMs = 250;

export interface Replicated {
  /** Resolves when enough replicas have this job; throws when it is gone, or the worker stops. */
  wait(queue: QueueName, jobId: string): Promise<void>;
  answers: readonly Redis[];
  close(): void;
}

const notAsked: Replicated = { wait: async () => {}, answers: [], close: () => {} };

interface ReplicatedOptions {
  url: string;
  replicas: number;
  stopping(): boolean;
}

/** WAIT counts from the last write of its own connection, so each look begins with one. */
const look = async (redis: Redis, queue: QueueName, jobId: string, replicas: number) => {
  const found = await redis
    .pipeline()
    .incr(`${queue.prefix}:replicated`)
    .wait(replicas, replicasWithinMs)
    .exists(queueKey(queue, jobId))
    .exec();
  const [, [error, reached] = [], [, isThere] = []] = found ?? [];
  if (error) throw error;
  return { reached: Number(reached), isThere: isThere === 1 };
};

export const openReplicated = ({ url, replicas, stopping }: ReplicatedOptions): Replicated => {
  if (replicas === 0) return notAsked;
  const redis = openConnection('patient', url);
  return {
    async wait(queue, jobId) {
      for (;;) {
        const { reached, isThere } = await look(redis, queue, jobId, replicas);
        if (!isThere) throw new Error(`the job ${jobId} is gone: a replica took over that did not have it`);
        if (reached >= replicas) return;
        if (stopping()) throw new Released();
        await sleep(pauseMs);
      }
    },
    answers: [redis],
    close: () => redis.disconnect(),
  };
};

/**
 * Before a request has an effect, its job is on as many replicas as its acceptance asks for. Otherwise a primary that is lost a moment later takes
 * with it that it was there, its caller has been refused and sends it again, and the new primary takes it for a new one: it would be applied twice.
 */
import { type Job, WaitingError } from 'bullmq';
import type { Redis } from 'ioredis';
import { type QueueName, queueKey } from '../names.ts';
import { replicated } from '../replicas.ts';
import { Released } from './settle.ts';

interface Keeping {
  /** 0: whatever Redis has done is enough. */
  replicas: number;
  stopping(): boolean;
}

/** `redis` has taken the job: WAIT asks about what a connection has written itself. */
export const createKept =
  ({ replicas, stopping }: Keeping) =>
  async (redis: Redis, queue: QueueName, { id = '' }: Pick<Job, 'id'>): Promise<void> => {
    while (replicas > 0) {
      // In this order: where the connection has gone over to another primary meanwhile, that one knows the job.
      const [reached, found] = await Promise.all([
        replicated(redis, replicas),
        redis.exists(queueKey(queue, id)),
      ]);
      // It was lost with its primary. Nothing is left to be done.
      if (found === 0) throw new WaitingError();
      if (reached >= replicas) return;
      if (stopping()) throw new Released();
    }
  };

/** For tests: a monitor on servers of their own. */
import type { QueueFamily } from '@roster/contract';
import { allQueues } from '@roster/queue';
import type { Config } from '@roster/runtime';
import { contextOf } from '@roster/testkit';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { startMonitor } from './start.ts';

export const outboxToken = 'outbox'.padEnd(43, '-');

export const beginMonitor = async (
  servers: { redisUrl: string; mongoUrl: string },
  MONITOR_SIGN_IN: Config<'monitor'>['MONITOR_SIGN_IN'],
) => {
  const more = { MONITOR_SIGN_IN, MONITOR_HOSTS: 'board.test', OUTBOX_TOKEN: outboxToken };
  const context = await contextOf('monitor', servers, more);
  const running = await startMonitor(context);
  return { running, metrics: context.metrics, base: `http://127.0.0.1:${running.port}` };
};

/** Queues to look into and to put things into. */
export const createQueues = (redis: () => Redis) => {
  const queues: Queue[] = [];
  return {
    /** The first one of a family. */
    queueOf(family: QueueFamily | 'dead'): Queue {
      const named = allQueues(1).find(({ name }) => name.startsWith(family));
      if (!named) throw new Error('no queue');
      const queue = new Queue(named.name, { prefix: named.prefix, connection: redis() });
      queues.push(queue);
      return queue;
    },
    closeQueues: () => Promise.all(queues.map((queue) => queue.close())),
  };
};

/** Requests as they would stand among the dead letters, if they could not be applied. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation, QueueFamily } from '@roster/contract';
import { createDeadLetters, openConnection } from '@roster/queue';
import { accepted } from '@roster/testkit';
import type { System } from '../../system.ts';
import { textsIn } from './names.ts';

export const openLetters = ({ redisUrl }: System) => {
  const redis = openConnection('patient', redisUrl);
  const letters = createDeadLetters(redis);

  const holds = async (id: string, text: string): Promise<boolean> =>
    textsIn((await letters.get(id))?.request.body).includes(text);

  return {
    async plant(operation: Operation, body: unknown): Promise<string> {
      const request = accepted(operation.id, body, Date.now() * 1000);
      const { id } = request;
      const queue = operation.queue as QueueFamily;
      await letters.add({ id, queue, code: 'X', reason: 'x', at: 'now', request });
      return id;
    },
    holds,
    /** When the sweeps have had their time. */
    async stillHolds(id: string, text: string): Promise<boolean> {
      for (const end = Date.now() + 60_000; Date.now() < end; await sleep(25))
        if (!(await holds(id, text))) return false;
      return true;
    },
    drop: letters.drop,
    async close(): Promise<void> {
      await letters.close();
      redis.disconnect();
    },
  };
};

export type Letters = ReturnType<typeof openLetters>;

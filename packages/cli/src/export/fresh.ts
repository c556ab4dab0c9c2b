import { allQueues, createFence, takeStamps } from '@roster/queue';
import type { Servers } from '../servers.ts';

const others: ReadonlySet<string> = new Set(['export', 'dead']);

/** Waits until what was accepted before is applied; `undefined` when Redis can't be asked. */
export const waitUntilFresh = async (
  servers: Servers,
  partitions: number,
  ms: number,
): Promise<boolean | undefined> => {
  try {
    const redis = await servers.redis();
    const queues = allQueues(partitions).filter(({ name }) => !others.has(name));
    return await createFence(redis, queues).wait(await takeStamps(redis, 1), ms);
  } catch {
    return undefined;
  }
};

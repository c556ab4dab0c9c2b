/** Waiting until what a workspace sent before is applied: as long as a read of the interface waits. */
import {
  createFence,
  growing,
  type openConnection,
  type Partitions,
  profileQueues,
  takeStamps,
} from '@roster/queue';
import type { Fence } from './sending/fence.ts';

const withinMs = 1000;

export const createFreshness = (redis: ReturnType<typeof openConnection>, partitions: Partitions) => {
  const applied = createFence(redis, growing(partitions, profileQueues));
  const fresh = (at: number, ws: string): Promise<boolean> => applied.wait(at, withinMs, ws);
  const stamp = (): Promise<number> => takeStamps(redis, 1);
  return {
    /** Of what was accepted before this stamp. */
    fresh,
    /** Of what was accepted before now. Without Redis nothing is known to be. */
    freshNow: (ws: string): Promise<boolean> =>
      stamp()
        .then((at) => fresh(at, ws))
        // The answer says so.
        .catch(() => false),
    /** For sending. */
    fence: { stamp, passed: (at, ws, ms) => applied.wait(at, ms, ws) } satisfies Fence,
  };
};

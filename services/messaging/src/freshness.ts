/** Waiting until what a workspace sent before is applied: as long as a read of the interface waits. */
import { createFence, type openConnection, profileQueues, takeStamps } from '@roster/queue';

const withinMs = 1000;

export interface Freshness {
  /** Of what was accepted before this stamp. */
  fresh(at: number, ws: string): Promise<boolean>;
  /** Of what was accepted before now. Without Redis nothing is known to be. */
  freshNow(ws: string): Promise<boolean>;
}

export const createFreshness = (redis: ReturnType<typeof openConnection>, partitions: number): Freshness => {
  const fence = createFence(redis, profileQueues(partitions));
  const fresh = (at: number, ws: string): Promise<boolean> => fence.wait(at, withinMs, ws);
  return {
    fresh,
    freshNow: (ws) =>
      takeStamps(redis, 1)
        .then((at) => fresh(at, ws))
        .catch(() => false),
  };
};

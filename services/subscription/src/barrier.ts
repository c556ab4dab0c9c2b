/** Lets requests through once everything that was accepted for tracking before them is finished, however long that takes. */
import type { AcceptedRequest } from '@roster/contract';
import type { Fence } from '@roster/queue';

/** The process is going down; the requests go back to their queue. */
export class Interrupted extends Error {
  constructor() {
    super('stopped while waiting for what was accepted before');
    this.name = 'Interrupted';
  }
}

const lookEveryMs = 1000;

export const createBarrier =
  (fence: Fence, isStopping: () => boolean) =>
  async (requests: readonly AcceptedRequest[]): Promise<void> => {
    const last = requests.reduce((latest, { at }) => Math.max(latest, at), 0);
    while (!(await fence.wait(last, lookEveryMs))) if (isStopping()) throw new Interrupted();
  };

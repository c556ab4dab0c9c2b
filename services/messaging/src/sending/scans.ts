/** Looks for the people of audiences: few at once in this process, in turn between workspaces, and paid before they begin. */
import { createSlots } from '@roster/batch';
import { audienceWork, createTally } from '@roster/contract';
import { chargeAhead, chargeWork } from '@roster/queue';
import { createLimitOf, type Store } from '@roster/store';

export interface ScanBudget {
  /** False: the workspace has used its points up, and has to wait. */
  pay(ws: string, points: number): Promise<boolean>;
  /** For work that was done. */
  owe(ws: string, points: number): Promise<void>;
}

export const createScanBudget = (
  { workspaces }: Pick<Store, 'workspaces'>,
  redis: Parameters<typeof chargeAhead>[0],
): ScanBudget => {
  const rateOf = createLimitOf(workspaces, audienceWork);
  return {
    pay: async (ws, points) => chargeAhead(redis, { ws, rate: await rateOf(ws), points }),
    owe: async (ws, points) => chargeWork(redis, { ws, rate: await rateOf(ws), points }),
  };
};

export const scanLimits = {
  /** Connections to MongoDB: others are left for pages, content and the sending itself. */
  atOnce: 2,
  /** Of one workspace, in this process. Its other deliveries look later: a turn must not wait for all of them. */
  waiting: 20,
};

export const createScans = () => {
  const slots = createSlots(scanLimits.atOnce);
  const waiting = createTally();

  /** Undefined: too many of the workspace wait already. */
  return async <Found>(ws: string, scan: () => Promise<Found>): Promise<Found | undefined> => {
    if (waiting.of(ws) >= scanLimits.waiting) return undefined;
    waiting.add(ws, 1);
    const leave = await slots(ws);
    waiting.add(ws, -1);
    try {
      return await scan();
    } finally {
      leave();
    }
  };
};

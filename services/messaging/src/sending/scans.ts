/** Looks for the people of audiences: few at once in this process, in turn between workspaces, and paid before they begin. */
import { createSlots } from '@roster/batch';
import { audienceWork } from '@roster/contract';
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

/** Undefined: too many of the workspace wait already. */
export type Scans = <Found>(ws: string, scan: () => Promise<Found>) => Promise<Found | undefined>;

export const createScans = (): Scans => {
  const slots = createSlots(scanLimits.atOnce);
  const waiting = new Map<string, number>();

  const count = (ws: string, more: number): void => {
    const now = (waiting.get(ws) ?? 0) + more;
    if (now > 0) waiting.set(ws, now);
    else waiting.delete(ws);
  };

  return async (ws, scan) => {
    if ((waiting.get(ws) ?? 0) >= scanLimits.waiting) return undefined;
    count(ws, 1);
    const leave = await slots(ws);
    count(ws, -1);
    try {
      return await scan();
    } finally {
      leave();
    }
  };
};

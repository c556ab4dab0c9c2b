/**
 * Erases deleted people in two rounds: at once, and again when no transaction from before the deletion can be open and no request from
 * before it can become a dead letter. The work to do stands in MongoDB, in `sweeps`.
 */
import type { Store, SweepDocument } from '@roster/store';
import { createErasePeople, Stopped } from './erase-people.ts';
import { createRounds, inMs, type SweeperOptions } from './sweep-rounds.ts';

export interface Sweeper {
  /** There is work to do. */
  nudge(): void;
  /** Does all work that is due now: for tests. */
  once(): Promise<void>;
  stop(): Promise<void>;
}

const mostAtOnce = 100;
/** When a process dies, another one takes its sweeps after this time. When it is only slow, two processes do the same work, which does no harm. */
const leaseMs = 15_000;

/** Takes the sweeps that are due, each under a lease. */
const take = async ({ sweeps }: Store): Promise<SweepDocument[]> => {
  const taken: SweepDocument[] = [];
  while (taken.length < mostAtOnce) {
    const lease = { $set: { due: inMs(leaseMs) } };
    const one = await sweeps.findOneAndUpdate({ due: { $lte: new Date() } }, lease, { sort: { due: 1 } });
    if (!one) break;
    taken.push(one);
  }
  return taken;
};

/** A pause that can be ended before its time. */
const createPause = (ms: number) => {
  let wake = (): void => {};
  return {
    wake: () => wake(),
    pause: (): Promise<void> =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
};

export const createSweeper = ({ pollMs = 1000, ...options }: SweeperOptions): Sweeper => {
  const { store, eraseLetters, onError } = options;
  let stopping = false;
  const erase = createErasePeople({ store, eraseLetters, stopping: () => stopping });
  const sweep = createRounds({ ...options, pollMs, erase });
  const { pause, wake } = createPause(pollMs);

  const once = async (): Promise<void> => {
    for (let taken = await take(store); taken.length > 0 && !stopping; taken = await take(store))
      await sweep(taken);
  };

  const work = async (): Promise<void> => {
    while (!stopping) {
      try {
        await once();
      } catch (error) {
        if (!(error instanceof Stopped)) onError?.(error);
      }
      if (!stopping) await pause();
    }
  };
  const working = work();

  return {
    nudge: wake,
    once,
    async stop() {
      stopping = true;
      wake();
      await working;
    },
  };
};

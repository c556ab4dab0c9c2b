/** How long a process may say nothing. What it was busy with counts, in time of the processors: on a full machine it waits for them, and that is no fault of its. */
import type { ReaderLimits } from './limits.ts';

type LifeLimits = Pick<ReaderLimits, 'busyMs' | 'silentMs' | 'lookMs'>;

/** `busyMs`: of the process so far. Where nobody tells it, it was busy all the time. */
export const createLife = ({ busyMs: mostBusy, silentMs, lookMs }: LifeLimits) => {
  // In looks, not by the clock: while this process is stopped, nothing is silent.
  let unheard = 0;
  let before: number | undefined;
  return {
    heard(): void {
      unheard = 0;
    },
    look(busyMs: number | undefined): 'busy' | 'silent' | undefined {
      if (unheard === 0) before = busyMs;
      unheard += 1;
      const silent = unheard * lookMs;
      const busy = busyMs === undefined || before === undefined ? silent : busyMs - before;
      if (busy > mostBusy) return 'busy';
      return silent > silentMs ? 'silent' : undefined;
    },
  };
};

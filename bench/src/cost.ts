// What units of work cost: processor time of the processes that take part, and how many are done in a second.
import { type CpuByProcess, startClock, total } from './cpu.ts';

export interface Cost {
  /** Microseconds of CPU for one, in all of the processes. */
  us: number;
  perSecond: number;
  /** The microseconds by process. */
  parts: CpuByProcess;
}

/** `work` ends when nothing more is to be done for it, and says how many units it was. */
export const costOf = async (pids: Record<string, number>, work: () => Promise<number>): Promise<Cost> => {
  const [stop, began] = [startClock(pids), performance.now()];
  const units = await work();
  const [cpu, seconds] = [Object.entries(stop()), (performance.now() - began) / 1_000];
  const parts = Object.fromEntries(cpu.map(([name, used]) => [name, (used / units) * 1e6]));
  return { us: total(parts), perSecond: units / seconds, parts };
};

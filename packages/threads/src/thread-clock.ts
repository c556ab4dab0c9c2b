/** The CPU time of one thread, whatever else the process and the machine do. Node 20 does not tell it. */
import { readFileSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';

/** Milliseconds of CPU since the clock was started. */
export type CpuClock = () => number;

const nanosecondsOfMs = 1_000_000;

/** Linux: the first figure of /proc/<pid>/task/<tid>/schedstat. `undefined` where the file is missing or the thread has ended. */
const bookedMs = (task: string): number | undefined => {
  try {
    const [booked = ''] = readFileSync(`/proc/${task}/schedstat`, 'utf8').split(' ', 1);
    return booked === '' ? undefined : Number(booked) / nanosecondsOfMs;
  } catch {
    return undefined;
  }
};

/** Both figures are at least the time of the thread: the CPU time of the whole process, and the time in which the thread was not idle. */
const startUpperBound = ({ performance }: Pick<Worker, 'performance'>): CpuClock => {
  const cpu = process.cpuUsage();
  const loop = performance.eventLoopUtilization();
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return Math.min((user + system) / 1000, performance.eventLoopUtilization(loop).active);
  };
};

/** `task`: where /proc has the thread, as `<pid>/task/<tid>`. */
export const cpuClockOf = (worker: Pick<Worker, 'performance'>, task: string | undefined): CpuClock => {
  const upperBound = startUpperBound(worker);
  const before = task === undefined ? undefined : bookedMs(task);
  if (task === undefined || before === undefined) return upperBound;
  let last = 0;
  return () => {
    const now = bookedMs(task);
    // A thread that has ended is in no list any more.
    last = now === undefined ? last : now - before;
    return last;
  };
};

// What the operating system knows of a process: CPU time in nanoseconds, and how much memory it took at most.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Or this, when the process or the thread has ended. */
const unlessEnded = <Found>(look: () => Found, otherwise: Found): Found => {
  try {
    return look();
  } catch {
    return otherwise;
  }
};

const textOf = (file: string): string => unlessEnded(() => readFileSync(file, 'utf8'), '');

const threadsOf = (pid: number): string[] => unlessEnded(() => readdirSync(`/proc/${pid}/task`), []);

/** Milliseconds of CPU of all threads that live; 0 when the process has ended. */
export const cpuMsOf = (pid: number): number =>
  threadsOf(pid).reduce(
    (total, thread) => total + Number(textOf(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]) / 1e6,
    0,
  );

/** From now on the highest memory is counted anew. Of another user's process the peak of its whole life counts. */
export const forgetPeak = (pid: number): void =>
  unlessEnded(() => writeFileSync(`/proc/${pid}/clear_refs`, '5'), undefined);

const statusMbOf = (pid: number, line: RegExp): number =>
  Number(line.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1_024;

export const peakMbOf = (pid: number): number => statusMbOf(pid, /^VmHWM:\s+(\d+)/m);
export const residentMbOf = (pid: number): number => statusMbOf(pid, /^VmRSS:\s+(\d+)/m);

/** CPU time of single threads is a feature of the kernel. */
export const isMeasurable = (): boolean => cpuMsOf(process.pid) > 0;

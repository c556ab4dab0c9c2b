// What the operating system knows of a process: CPU time in nanoseconds, and how much memory it took at most.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process or thread has ended.
    return '';
  }
};

const threadsOf = (pid: number): string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
};

/** Milliseconds of CPU of all threads that live; 0 when the process has ended. */
export const cpuMsOf = (pid: number): number =>
  threadsOf(pid).reduce(
    (total, thread) => total + Number(textOf(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]) / 1e6,
    0,
  );

/** From now on the highest memory is counted anew. */
export const forgetPeak = (pid: number): void => {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // It has ended, or belongs to another user: then the peak of its whole life counts.
  }
};

const statusMbOf = (pid: number, line: RegExp): number =>
  Number(line.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1_024;

export const peakMbOf = (pid: number): number => statusMbOf(pid, /^VmHWM:\s+(\d+)/m);
export const residentMbOf = (pid: number): number => statusMbOf(pid, /^VmRSS:\s+(\d+)/m);

/** CPU time of single threads is a feature of the kernel. */
export const isMeasurable = (): boolean => cpuMsOf(process.pid) > 0;

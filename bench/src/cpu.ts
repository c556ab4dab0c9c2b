// CPU time as the operating system booked it: all threads of a process, in user and in kernel.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const pageKilobytes = Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' })) / 1_024;

/** Seconds of CPU (proc(5): utime, stime, and those of children that have ended). */
const bookedSeconds = (pid: number | string): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
};

/** Of a child that is still there. */
const childSeconds = (pid: string): number => {
  try {
    return bookedSeconds(pid);
  } catch {
    // It has ended meanwhile.
    return 0;
  }
};

/** Seconds of CPU that a process and its children have used since it started. */
export const cpuSeconds = (pid: number): number => {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + childSeconds(child), bookedSeconds(pid));
};

/** Megabytes of memory that a process holds. */
export const residentMegabytes = (pid: number): number => {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  return (pages * pageKilobytes) / 1_024;
};

export type CpuByProcess = Record<string, number>;

/** Starts a measurement; calling what it returns gives the seconds that each process used since. */
export const startClock = (pids: Record<string, number>): (() => CpuByProcess) => {
  const before = Object.entries(pids).map(([name, pid]) => [name, pid, cpuSeconds(pid)] as const);
  return () => Object.fromEntries(before.map(([name, pid, seconds]) => [name, cpuSeconds(pid) - seconds]));
};

export const total = (cpu: CpuByProcess): number =>
  Object.values(cpu).reduce((sum, seconds) => sum + seconds, 0);

/** Looks at the memory of processes; calling what it returns gives the most that each has held since. */
export const watchMemory = (pids: Record<string, number>): (() => Record<string, number>) => {
  const most: Record<string, number> = {};
  const look = () => {
    for (const [name, pid] of Object.entries(pids))
      most[name] = Math.max(most[name] ?? 0, residentMegabytes(pid));
  };
  const timer = setInterval(look, 200);
  look();
  return () => {
    clearInterval(timer);
    return most;
  };
};

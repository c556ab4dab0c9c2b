import { readFileSync } from 'node:fs';

/** The most memory that a process has held at a time, in MB, as the kernel counted it. */
export const peakMb = (pid: number): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024);
};

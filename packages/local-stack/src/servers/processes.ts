/** Other processes, by their numbers. */
import { readFileSync } from 'node:fs';

/** Its name, and the fields after it from its state on (proc(5)), where the system shows them. */
export const statOf = (pid: number): { title: string; fields: string[] } | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = stat.lastIndexOf(')');
    return { title: stat.slice(stat.indexOf('(') + 1, end), fields: stat.slice(end + 2).split(' ') };
  } catch {
    return undefined;
  }
};

/** Whether there was such a process; with the signal 0 nothing else is done. */
export const signal = (pid: number, name: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
};

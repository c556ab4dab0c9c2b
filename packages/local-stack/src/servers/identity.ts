/** Who a process is, beyond its number: numbers are used again. */
import { execFileSync } from 'node:child_process';
import { statOf } from './processes.ts';

/** Its state is the first field, its start time the twentieth. */
const fromProc = (pid: number): string | undefined => {
  const { fields = [] } = statOf(pid) ?? {};
  return fields[0] === 'Z' ? undefined : fields[19];
};

const fromPs = (pid: number): string | undefined =>
  execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;

/** Differs between two processes that had the same number; nothing when there is no such process. */
export const identityOf = (pid: number): string | undefined => {
  try {
    return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
  } catch {
    return undefined;
  }
};

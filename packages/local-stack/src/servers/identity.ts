/** Who a process is, beyond its number: numbers are used again. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Fields of /proc/<pid>/stat after the name in brackets: state is the first, the start time the twentieth. */
const fromProc = (pid: number): string | undefined => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
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

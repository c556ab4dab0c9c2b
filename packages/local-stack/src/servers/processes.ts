/** Other processes: by their numbers, and such that outlive us. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
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

/** Whether there was such a process; with the signal 0 nothing else is done. */
export const signal = (pid: number, name: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
};

/** In a group of its own. Its input ends when we do, however suddenly, and nobody waits for its end. */
export const spawnBeside = (command: string, args: string[], env = process.env): ChildProcess => {
  const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true, env });
  // Nobody waits for it, and what it sweeps up the next start does as well.
  child.on('error', () => {});
  // It has ended.
  child.stdin.on('error', () => {});
  child.unref();
  (child.stdin as { unref?: () => void }).unref?.();
  return child;
};

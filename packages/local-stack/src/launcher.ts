/**
 * npm stands between a person and us, often with a shell of its own between. When they are killed the signal does not
 * reach us, so their end is a signal.
 */
import { readFileSync } from 'node:fs';

const everyMs = 300;

/** Name and parent of a process, where the system shows them. */
const look = (pid: number): { title: string; parent: number } | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return { title: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')), parent };
  } catch {
    return undefined;
  }
};

const isNpm = (pid: number): boolean => look(pid)?.title.startsWith('npm') ?? false;

/** The shell that npm has started us in, and npm. */
const launchers = (): number[] => {
  const parent = process.ppid;
  const grandparent = look(parent)?.parent ?? 0;
  return !isNpm(parent) && isNpm(grandparent) ? [parent, grandparent] : [parent];
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

export const onLauncherGone = (gone: () => void): void => {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const watched = launchers();
  const timer = setInterval(() => {
    if (process.ppid === parent && watched.every(isAlive)) return;
    clearInterval(timer);
    gone();
  }, everyMs);
  timer.unref();
};

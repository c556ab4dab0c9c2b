/**
 * npm stands between a person and us, often with a shell of its own between. When they are killed the signal does not
 * reach us, so their end is a signal.
 */
import { signal, statOf } from './servers/processes.ts';

const everyMs = 300;

const isNpm = (pid: number): boolean => statOf(pid)?.title.startsWith('npm') ?? false;

/** The shell that npm has started us in, and npm. */
const launchers = (): number[] => {
  const parent = process.ppid;
  const grandparent = Number(statOf(parent)?.fields[1] ?? 0);
  return !isNpm(parent) && isNpm(grandparent) ? [parent, grandparent] : [parent];
};

const isAlive = (pid: number): boolean => signal(pid, 0);

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

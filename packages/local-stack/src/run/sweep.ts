/** The end of a run: its processes are killed, what it has mounted is unmounted, its folders are removed. All its data is to be thrown away. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { sep } from 'node:path';
import { identityOf, signal, statOf } from '../servers/processes.ts';
import { runMark, twinOf } from './memory.ts';

const patienceMs = 10_000;

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** In the folder of the run, or in its twin in memory. */
const isWithin = (path: string, folder: string): boolean =>
  [folder, twinOf(folder)].some((one) => path === one || path.startsWith(`${one}${sep}`));

/** A run inside of this one has a folder inside of ours. */
const isMarked = (pid: number, folder: string): boolean =>
  read(`/proc/${pid}/environ`)
    .split('\0')
    .some((entry) => {
      const [name, value = ''] = entry.split('=');
      return name === runMark && isWithin(value, folder);
    });

const hasTerminal = (pid: number): boolean => statOf(pid)?.fields[4] !== '0';

/** Redis writes its title over its environment. Servers work in the folder of their data; the shell of a person who looks there is left alone. */
const worksIn = (pid: number, folder: string): boolean => {
  try {
    return isWithin(readlinkSync(`/proc/${pid}/cwd`), folder) && !hasTerminal(pid);
  } catch {
    return false;
  }
};

const isOf = (pid: number, folder: string): boolean => isMarked(pid, folder) || worksIn(pid, folder);

/** Those that the run has started, and those that these have started. Only Linux shows them; elsewhere they notice the end of the run. */
const processesOf = (folder: string): number[] => {
  try {
    const pids = readdirSync('/proc').map(Number);
    return pids.filter((pid) => pid > 0 && pid !== process.pid && isOf(pid, folder));
  } catch {
    return [];
  }
};

/** At the exit of a process nothing can be awaited any more. */
const pause = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** A process that is ending shows no environment any more. */
const killAll = (folder: string): void => {
  let ending: number[] = [];
  for (const end = Date.now() + patienceMs; Date.now() < end; pause(20)) {
    const alive = processesOf(folder);
    for (const pid of alive) signal(pid, 'SIGKILL');
    ending = [...new Set([...ending, ...alive])].filter((pid) => identityOf(pid) !== undefined);
    if (ending.length === 0) return;
  }
};

const unmountAll = (folder: string): void => {
  const places = read('/proc/mounts')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '');
  for (const place of places.filter((path) => isWithin(path, folder)))
    try {
      // Lazily: a process that ends just now may still use it.
      execFileSync('umount', ['--lazy', place], { stdio: 'ignore' });
    } catch {
      // It was unmounted in between.
    }
};

export const sweep = (folder: string): void => {
  killAll(folder);
  unmountAll(folder);
  for (const each of [folder, twinOf(folder)])
    rmSync(each, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
};

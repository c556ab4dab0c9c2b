/** The folder of one stack: its data, its secrets, its logs, and what it says of itself while it runs. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dropNote, livingIn, notePid, stopLeftover } from '../servers/pid-file.ts';

export interface Home {
  dir: string;
  logFile(name: string): string;
  pidFile(name: string): string;
  dataDir(name: string): string;
  file(name: string): string;
}

export const openHome = (dir: string): Home => {
  for (const folder of ['logs', 'pids', 'data']) mkdirSync(join(dir, folder), { recursive: true });
  return {
    dir,
    logFile: (name) => join(dir, 'logs', `${name}.log`),
    pidFile: (name) => join(dir, 'pids', `${name}.json`),
    dataDir: (name) => join(dir, 'data', name),
    file: (name) => join(dir, name),
  };
};

/** For its owner's eyes; there as a whole or not at all. */
export const writePrivate = (file: string, text: string): void => {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

/** The pepper of keys and request ids: made once, and never changed, or every key would be void. */
export const secretOf = (home: Home, given: string | undefined): string => {
  if (given) return given;
  const file = home.file('secret');
  if (!existsSync(file)) writePrivate(file, `${randomBytes(32).toString('hex')}\n`);
  return readFileSync(file, 'utf8').trim();
};

/** The process whose stack lives in this folder, if one does. */
export const runningIn = (dir: string): number | undefined => livingIn(join(dir, 'stack.json'));

const patienceMs = { toNotice: 3_000, toStop: 40_000 };

/** The one before may be on its way out: it is given a moment to notice, and longer once it says so. */
const untilFree = async (home: Home): Promise<void> => {
  const began = Date.now();
  for (let pid = runningIn(home.dir); pid; pid = runningIn(home.dir)) {
    const patience = existsSync(home.file('stopping')) ? patienceMs.toStop : patienceMs.toNotice;
    if (Date.now() - began > patience)
      throw new Error(
        `A stack is already running in ${home.dir} (process ${pid}). Stop it first, or give this one a ROSTER_HOME of its own.`,
      );
    await sleep(100);
  }
};

export interface Claim {
  /** Says that the end has begun. */
  stopping(): void;
  release(): void;
}

/** One stack for a folder. */
export const claim = async (home: Home): Promise<Claim> => {
  await untilFree(home);
  const [note, stopping] = [home.file('stack.json'), home.file('stopping')];
  notePid(note, process.pid);
  rmSync(stopping, { force: true });
  return {
    stopping() {
      // Somebody may have removed the folder under a running stack: it must still be able to stop.
      if (existsSync(home.dir)) writeFileSync(stopping, '');
    },
    release() {
      for (const file of [home.file('local.json'), stopping]) rmSync(file, { force: true });
      dropNote(note, process.pid);
    },
  };
};

/** Services of a run that crashed: they go before the servers under them are started anew. */
export const endLeftovers = async (home: Home): Promise<void> => {
  const files = readdirSync(join(home.dir, 'pids')).map((name) => join(home.dir, 'pids', name));
  await Promise.all(files.map(stopLeftover));
};

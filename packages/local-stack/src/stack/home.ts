/** The folder of one stack: its data, its secrets, its logs, and what it says of itself while it runs. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { givingUp } from '../giving-up.ts';
import { dropNote, livingIn, notePid, stopLeftover } from '../servers/pid-file.ts';
import { makePrivateFolder, tighten, writePrivate } from '../servers/private-file.ts';

export const openHome = (dir: string) => {
  for (const folder of ['logs', 'pids', 'data', 'credentials', 'files']) makePrivateFolder(join(dir, folder));
  tighten(dir);
  return {
    dir,
    logFile: (name: string) => join(dir, 'logs', `${name}.log`),
    pidFile: (name: string) => join(dir, 'pids', `${name}.json`),
    dataDir: (name: string) => join(dir, 'data', name),
    file: (name: string) => join(dir, name),
    /** Of a file; nothing when it is not there. */
    text: (name: string) => (existsSync(join(dir, name)) ? readFileSync(join(dir, name), 'utf8').trim() : ''),
  };
};

export type Home = ReturnType<typeof openHome>;

/** A file system of its own has this folder before anything is stored on it. */
const notData = 'lost+found';

const hasData = ({ dir }: Home): boolean =>
  readdirSync(join(dir, 'data')).some((name) =>
    readdirSync(join(dir, 'data', name)).some((entry) => entry !== notData),
  );

/** The pepper of keys and request ids: made once, before there is any data, and never changed, or every key would be void. */
export const secretOf = (home: Home, given: string | undefined): string => {
  if (given) return given;
  const file = home.file('secret');
  const kept = home.text('secret');
  if (kept) return kept;
  if (hasData(home))
    throw new Error(
      `${file} is missing, and the data in ${home.dir}/data can only be used with the secret it was made with: put the file back, or set ROSTER_SECRET to that secret, or throw the data away with npm run reset.`,
    );
  const secret = randomBytes(32).toString('hex');
  writePrivate(file, `${secret}\n`);
  return secret;
};

/** `secrets.json`: those of the running stack, which were given to it or are kept here. `roster` in another shell uses them. */
export const tellSecrets = (home: Home, env: Readonly<Record<string, string | undefined>>): void => {
  const { ROSTER_SECRET, ROSTER_SECRET_ALSO } = env;
  const secrets = { ROSTER_SECRET, ROSTER_SECRET_ALSO: ROSTER_SECRET_ALSO || undefined };
  writePrivate(home.file('secrets.json'), `${JSON.stringify(secrets, null, 2)}\n`);
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
    givingUp()?.throwIfAborted();
  }
};

/** One stack for a folder. */
export const claim = async (home: Home) => {
  await untilFree(home);
  const [note, stopping] = [home.file('stack.json'), home.file('stopping')];
  notePid(note, process.pid);
  rmSync(stopping, { force: true });
  return {
    /** Says that the end has begun. */
    stopping(): void {
      try {
        writeFileSync(stopping, '', { mode: 0o600 });
      } catch {
        // The folder was removed under a running stack, or the disk is full: it must still be able to stop.
      }
    },
    release(): void {
      for (const file of [...['local.json', 'secrets.json'].map(home.file), stopping])
        rmSync(file, { force: true });
      dropNote(note, process.pid);
    },
  };
};

/** Services of a run that crashed: they go before the servers under them are started anew. */
export const endLeftovers = async (home: Home): Promise<void> => {
  const files = readdirSync(join(home.dir, 'pids')).map((name) => join(home.dir, 'pids', name));
  await Promise.all(files.map(stopLeftover));
};

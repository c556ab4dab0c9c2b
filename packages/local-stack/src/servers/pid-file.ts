/** A note of the process that works in a folder, so that the next start after a crash can end it first. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePrivateFolder } from './private-file.ts';
import { identityOf, signal } from './processes.ts';

interface Note {
  pid: number;
  identity: string;
}

const read = (file: string): Note | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Note;
  } catch {
    return undefined;
  }
};

/** The process that the file names, if it is still that process. */
export const livingIn = (file: string): number | undefined => {
  const note = read(file);
  return note && identityOf(note.pid) === note.identity ? note.pid : undefined;
};

export const notePid = (file: string, pid: number): void => {
  makePrivateFolder(dirname(file));
  writeFileSync(file, JSON.stringify({ pid, identity: identityOf(pid) ?? '' }), { mode: 0o600 });
};

/** Removes the note if it is still about this process. */
export const dropNote = (file: string, pid: number): void => {
  if (read(file)?.pid === pid) rmSync(file, { force: true });
};

const goneWithin = async (file: string, ms: number): Promise<boolean> => {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(50)) if (!livingIn(file)) return true;
  return !livingIn(file);
};

/** Ends what a run that crashed has left behind in this folder. */
export const stopLeftover = async (file: string): Promise<void> => {
  const pid = livingIn(file);
  if (!pid) return;
  signal(pid, 'SIGTERM');
  signal(pid, 'SIGCONT');
  if (await goneWithin(file, 10_000)) return;
  signal(pid, 'SIGKILL');
  await goneWithin(file, 5_000);
};

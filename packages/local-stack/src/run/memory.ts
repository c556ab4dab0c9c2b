import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const memory = '/dev/shm';

/** The folder of a run names it, in the environment of all that the run starts. */
export const runMark = 'ROSTER_RUN';

/** What a run keeps in memory lies beside its folder, under the same name. */
export const twinOf = (folder: string): string => join(memory, basename(folder));

/** A folder that lies in memory, where the system has one. In a run it goes with the run. */
export const memoryFolder = (): string => {
  if (!existsSync(memory)) return tmpdir();
  const run = process.env[runMark];
  if (!run) return memory;
  mkdirSync(twinOf(run), { recursive: true });
  return twinOf(run);
};

/** A run of a program that starts systems to throw them away. However it ends, its processes end with it and its folders go. */
import { mkdtempSync, realpathSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onLauncherGone } from '../launcher.ts';
import { spawnBeside } from '../servers/processes.ts';
import { runMark } from './memory.ts';
import { sweep } from './sweep.ts';

/** Without the mark of the run: it must outlive the run. */
const startBroom = (folder: string): void => {
  const { [runMark]: _, ...env } = process.env;
  const script = fileURLToPath(new URL('./broom.js', import.meta.url));
  spawnBeside(process.execPath, [script, folder], env);
};

/** Whatever can't be removed now is left to the broom. */
const sweepOrLeave = (folder: string): void => {
  try {
    sweep(folder);
  } catch (error) {
    console.error(`${folder} is not removed yet: ${error instanceof Error ? error.message : error}`);
  }
};

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** From here on all temporary folders, also those of processes that are started, lie in the folder of the run. Gives that folder. */
export const openRun = (name: string): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `roster-${name}-`)));
  startBroom(folder);
  Object.assign(process.env, { TMPDIR: folder, [runMark]: folder });
  process.once('exit', () => sweepOrLeave(folder));
  for (const signal of signals) process.once(signal, () => process.exit(128 + constants.signals[signal]));
  onLauncherGone(() => process.exit(1));
  return folder;
};

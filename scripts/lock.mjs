// One at a time in this checkout: two that install or build at once would spoil each other's work.
import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root, signalTo } from './processes.mjs';

const file = join(root, '.cache/prepare.lock');
const patienceMs = 900_000;

const tryLock = () => {
  try {
    const handle = openSync(file, 'wx');
    writeSync(handle, String(process.pid));
    closeSync(handle);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
};

const holder = () => {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
};

const release = () => {
  if (holder() === process.pid) rmSync(file, { force: true });
};

/** For a person. */
const assertWritable = () => {
  try {
    mkdirSync(join(root, '.cache'), { recursive: true });
    accessSync(join(root, '.cache'), constants.W_OK);
  } catch ({ code }) {
    console.error(
      `${root} can't be written (${code}), and what is installed and built belongs into it: use a copy of your own, or the user that it belongs to.`,
    );
    process.exit(1);
  }
};

export const alone = async (work) => {
  assertWritable();
  for (const end = Date.now() + patienceMs; !tryLock(); await sleep(200)) {
    const pid = holder();
    if (pid && !signalTo(pid)) rmSync(file, { force: true });
    if (Date.now() > end)
      throw new Error(`Process ${pid} has been installing or building for too long (${file})`);
  }
  process.once('exit', release);
  try {
    return await work();
  } finally {
    release();
    process.off('exit', release);
  }
};

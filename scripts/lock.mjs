// One at a time in this checkout: two that install or build at once would spoil each other's work.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
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

export const alone = async (work) => {
  mkdirSync(join(root, '.cache'), { recursive: true });
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

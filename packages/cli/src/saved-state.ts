/** What a command knows of its own progress, kept in a file beside the one it works on. */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';

/** On disk before it takes the place of the old one: there as a whole or not at all. */
export const saveWhole = (path: string, state: object): void => {
  const descriptor = openSync(`${path}.new`, 'w', 0o600);
  try {
    writeSync(descriptor, `${JSON.stringify(state, null, 2)}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(`${path}.new`, path);
};

/** What is read where there is no file. */
export const missing = Symbol('no such file');

/** `missing` when there is no such file; nothing when it is no JSON. */
export const readSaved = (path: string): unknown => {
  if (!existsSync(path)) return missing;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
};

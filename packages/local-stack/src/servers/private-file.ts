/** Files and folders for their owner's eyes only, which survive a power cut (docs/adr/failures.md). */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const forOwner = { file: 0o600, folder: 0o700 };

/** A name stands in its folder for good only when the folder is synced as well. */
const syncFolder = (folder: string): void => {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** Not `recursive`: that says ENOENT for whatever is wrong. Another process may be faster. */
const makeFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { mode: forOwner.folder });
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
};

/** Makes the folder, and those above it that are missing, for good. */
export const makePrivateFolder = (folder: string): void => {
  if (existsSync(folder)) return;
  makePrivateFolder(dirname(folder));
  makeFolder(folder);
  syncFolder(dirname(folder));
};

/** There as a whole or not at all, also after a power cut. */
export const writePrivate = (file: string, text: string): void => {
  writeFileSync(`${file}.new`, text, { mode: forOwner.file, flush: true });
  renameSync(`${file}.new`, file);
  syncFolder(dirname(file));
};

/** Folders made by an earlier version were open to everybody. Links lead elsewhere: they are left alone. */
export const tighten = (path: string): void => {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink()) return;
  const wanted = found.isDirectory() ? forOwner.folder : forOwner.file;
  if ((found.mode & 0o777 & ~wanted) !== 0) chmodSync(path, found.mode & wanted);
  if (found.isDirectory()) for (const name of readdirSync(path)) tighten(join(path, name));
};

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
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** The calls that decide what a power cut leaves; a test listens to them. */
export const disk = { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync };
export type Disk = typeof disk;

const forOwner = { file: 0o600, folder: 0o700 };

/** A name stands in its folder for good only when the folder is synced as well. */
const syncFolder = (folder: string, on: Disk): void => {
  const handle = on.openSync(folder, 'r');
  try {
    on.fsyncSync(handle);
  } finally {
    on.closeSync(handle);
  }
};

/** Makes the folder, and those above it that are missing, for good. */
export const makePrivateFolder = (folder: string, on: Disk = disk): void => {
  if (existsSync(folder)) return;
  makePrivateFolder(dirname(folder), on);
  on.mkdirSync(folder, { mode: forOwner.folder, recursive: true });
  syncFolder(dirname(folder), on);
};

const writeSynced = (file: string, text: string, on: Disk): void => {
  const handle = on.openSync(file, 'w', forOwner.file);
  try {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) done += on.writeSync(handle, bytes, done);
    on.fsyncSync(handle);
  } finally {
    on.closeSync(handle);
  }
};

/** There as a whole or not at all, also after a power cut. */
export const writePrivate = (file: string, text: string, on: Disk = disk): void => {
  writeSynced(`${file}.new`, text, on);
  on.renameSync(`${file}.new`, file);
  syncFolder(dirname(file), on);
};

/** Folders made by an earlier version were open to everybody. Links lead elsewhere: they are left alone. */
export const tighten = (path: string): void => {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink()) return;
  const wanted = found.isDirectory() ? forOwner.folder : forOwner.file;
  if ((found.mode & 0o777 & ~wanted) !== 0) chmodSync(path, found.mode & wanted);
  if (found.isDirectory()) for (const name of readdirSync(path)) tighten(join(path, name));
};

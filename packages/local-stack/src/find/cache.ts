/**
 * What was fetched is kept outside the checkout. An entry is a folder with a program, perhaps its libraries, and the
 * sums of all its files, which are checked at every use. It appears by a rename, whole or not at all, so two first
 * starts at once do not disturb each other.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { workingIn } from '../servers/folder-error.ts';

const sumsFile = 'SHA256SUMS';

export const cacheDir = (): string =>
  process.env.ROSTER_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'roster');

export const sha256 = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
};

const filesIn = async (dir: string): Promise<string[]> => {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== sumsFile);
  return files.map((entry) => relative(dir, join(entry.parentPath, entry.name))).sort();
};

/** In the format of `sha256sum`, so that anybody can check it by hand. */
const sumsOf = async (dir: string): Promise<string> => {
  const lines: string[] = [];
  for (const file of await filesIn(dir)) lines.push(`${await sha256(join(dir, file))}  ${file}\n`);
  return lines.join('');
};

const isIntact = async (dir: string): Promise<boolean> => {
  // Not there: it is fetched.
  const noted = await readFile(join(dir, sumsFile), 'utf8').catch(() => undefined);
  return noted !== undefined && noted === (await sumsOf(dir));
};

/** The folder of an entry; one that was tampered with or cut short is removed. */
export const fromCache = async (name: string): Promise<string | undefined> => {
  const dir = join(cacheDir(), name);
  if (await isIntact(dir)) return dir;
  await rm(dir, { recursive: true, force: true });
  return undefined;
};

const moveInto = async (from: string, to: string): Promise<void> => {
  try {
    await rename(from, to);
  } catch (error) {
    // Another process was faster: its file is as good, if it is whole.
    if (!(await isIntact(to))) throw error;
  }
};

type Fill = (folders: { entry: string; scraps: string }) => Promise<void>;

const keep = async (name: string, fill: Fill): Promise<string> => {
  const work = join(cacheDir(), `.work-${process.pid}-${randomBytes(4).toString('hex')}`);
  const folders = { entry: join(work, 'entry'), scraps: join(work, 'scraps') };
  try {
    for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true });
    await fill(folders);
    await writeFile(join(folders.entry, sumsFile), await sumsOf(folders.entry));
    await moveInto(folders.entry, join(cacheDir(), name));
    return join(cacheDir(), name);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
};

/** Lets `fill` build the entry in a folder of its own, beside a folder for scraps, and keeps it. */
export const keepInCache = (name: string, fill: Fill): Promise<string> =>
  workingIn({ variable: 'ROSTER_CACHE', dir: cacheDir() }, () => keep(name, fill));

/** Reads credentials where the settings of a workspace say they stand: in a variable, or in a file. */
import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

export type Reference = { env: string } | { file: string };

interface CredentialsOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** Where the files are; without it there are none. */
  dir?: string;
}

const mostBytes = 64 * 1024;

/** A changed file counts after so long. */
const keptMs = 60_000;

/** Of all workspaces. */
const mostKept = 1000;

/** Links within the folder are followed, as mounted secrets have them; they lead out of it nowhere. */
const placeIn = async (dir: string, file: string): Promise<string> => {
  const [folder, place] = await Promise.all([realpath(dir), realpath(join(dir, file))]);
  if (!place.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`))
    throw new Error(`the file ${file} in CREDENTIALS_DIR is a link to a place outside of it`);
  return place;
};

const opened = async (dir: string, file: string): Promise<FileHandle> => {
  const place = await placeIn(dir, file);
  // A named pipe would be waited for.
  return open(place, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
};

const unreadable = (file: string) => (error: NodeJS.ErrnoException) => {
  if (error.code === undefined) throw error;
  throw new Error(`the file ${file} in CREDENTIALS_DIR cannot be read (${error.code})`);
};

const fromFile = async (dir: string | undefined, file: string): Promise<string> => {
  if (!dir) throw new Error(`the credential is in the file ${file}, but CREDENTIALS_DIR is not set`);
  const handle = await opened(dir, file).catch(unreadable(file));
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new Error(`${file} in CREDENTIALS_DIR is not a file`);
    if (found.size > mostBytes) throw new Error(`the file ${file} in CREDENTIALS_DIR is larger than 64 KB`);
    return (await handle.readFile('utf8')).trim();
  } finally {
    await handle.close();
  }
};

export type ReadCredential = (reference: Reference) => Promise<string>;

/** Throws an error that says what is missing, and never what is there. */
export const createReadCredential = ({ env, dir }: CredentialsOptions): ReadCredential => {
  const kept = new Map<string, { text: string; until: number }>();
  const readAnew = async (reference: Reference): Promise<string> => {
    const text = 'env' in reference ? env[reference.env]?.trim() : await fromFile(dir, reference.file);
    const place = 'env' in reference ? `the variable ${reference.env}` : `the file ${reference.file}`;
    if (!text) throw new Error(`${place} is not set or empty: a credential should be there`);
    return text;
  };
  return async (reference) => {
    const key = JSON.stringify(reference);
    const known = kept.get(key);
    if (known && performance.now() < known.until) return known.text;
    const text = await readAnew(reference);
    if (kept.size >= mostKept) kept.clear();
    kept.set(key, { text, until: performance.now() + keptMs });
    return text;
  };
};

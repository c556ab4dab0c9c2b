/** Errors of the system about a folder, as a sentence: the folder, what is wrong with it, and what to do. */
import { statfsSync } from 'node:fs';

const mayNot = 'this user may not write there. Give it the right';
const isFile = 'it, or a part of its path, is not a folder. Move that away';

const faults: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Free some space',
  EDQUOT: 'the disk quota of this user is used up. Free some space',
  EROFS: 'its file system is read-only. Make it writable',
  EACCES: mayNot,
  EPERM: mayNot,
  ENOTDIR: isFile,
  EEXIST: isFile,
  ENOENT: 'it is gone, or no folder can be made there. Make it',
  ENAMETOOLONG: 'its path is too long. Shorten it',
  ELOOP: 'its path has links that lead in a circle. Correct them',
  EIO: 'its disk cannot be read or written. Check the disk',
};

/** A folder, and the variable that names it. */
export interface NamedFolder {
  variable: string;
  dir: string;
}

const sentence = ({ variable, dir }: NamedFolder, code: string): string =>
  `Roster cannot work in the folder ${dir} (${variable}): ${faults[code]}, or set ${variable} to another folder. (${code})`;

const explained = (folder: NamedFolder, error: unknown): unknown => {
  const { code = '' } = (error ?? {}) as NodeJS.ErrnoException;
  return code in faults ? new Error(sentence(folder, code), { cause: error }) : error;
};

/** Errors of this work are about the folder. */
export const workingIn = async <T>(folder: NamedFolder, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw explained(folder, error);
  }
};

/** As the C library writes them into logs. */
const inLogs = {
  ENOSPC: /no space left on device/i,
  EDQUOT: /disk quota exceeded/i,
  EROFS: /read-only file system/i,
  EIO: /input\/output error/i,
} as const;

/** Less is left when a server could write no more: not even its log may say why. */
const fullBytes = 1024 * 1024;

const isFull = (dir: string): boolean => {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize < fullBytes;
};

/** Why a server that works in the folder has ended, when its disk is the reason. */
export const diskFault = (dir: string, log: string): NodeJS.ErrnoException | undefined => {
  const [code] = Object.entries(inLogs).find(([, text]) => text.test(log)) ?? (isFull(dir) ? ['ENOSPC'] : []);
  return code === undefined ? undefined : Object.assign(new Error(code), { code });
};

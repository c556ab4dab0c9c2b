/** The files of a folder of this machine. Others may write into it while it is read: nothing leads out of it. */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, opendir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { bounds } from '../bounds.ts';
import { textAt } from '../members.ts';
import type { FolderTable } from '../settings.ts';
import { bad, SourceError } from '../source-error.ts';
import { createListing, type FileStore, type StoreBounds, type StoredFile, wasChanged } from './store.ts';

const chunkBytes = 262_144;

/** One name: what lies deeper could be exchanged for a link by whoever may write there. */
const isName = (folder: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(folder);

const placeOf = async ({ root, folder }: Pick<FolderTable, 'root' | 'folder'>): Promise<string> => {
  const missing = () =>
    new SourceError('table_missing', `FILES_DIR has no folder ${folder} that can be read`);
  const [whole, place] = await Promise.all([realpath(root), realpath(join(root, folder))]).catch(() => {
    throw missing();
  });
  if (!place.startsWith(whole.endsWith(sep) ? whole : `${whole}${sep}`))
    throw bad(`the folder ${folder} is a link to a place outside of FILES_DIR`);
  return place;
};

const tagOf = ({ ino, size, mtimeMs }: Stats): string => `${ino} ${size} ${mtimeMs}`;

const fileOf = (name: string, found: Stats): StoredFile => ({
  name,
  bytes: found.size,
  changed: new Date(Math.floor(found.mtimeMs)).toISOString(),
  tag: tagOf(found),
  ...(found.isSymbolicLink() && { problem: 'is a link, and links are not followed' }),
});

const unreadable = (error: unknown, name: string): unknown => {
  if (error instanceof SourceError) return error;
  const code = textAt(error, 'code');
  if (['ENOENT', 'ELOOP', 'ESTALE'].includes(code)) return wasChanged(name);
  if (code === 'EACCES') return new SourceError('access_denied', `this process may not read ${name}`);
  return code ? new SourceError('connection_lost', `${name} can't be read (${code})`) : error;
};

/** A named pipe would be waited for. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

const assertSame = async (handle: FileHandle, { name, tag }: StoredFile): Promise<void> => {
  if (tagOf(await handle.stat()) !== tag) throw wasChanged(name);
};

async function* bytesOf(handle: FileHandle, name: string, from: number, to: number) {
  for (let at = from; at < to; ) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, to - at));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) throw wasChanged(name);
    yield chunk.subarray(0, bytesRead);
    at += bytesRead;
  }
}

export const openFolder = (
  settings: Pick<FolderTable, 'root' | 'folder'>,
  most: StoreBounds = bounds,
): FileStore => {
  const { root, folder } = settings;
  if (!root) throw bad(`the connection reads the folder ${folder}, but FILES_DIR is not set`);
  if (!isName(folder)) throw bad('the folder must be the name of a folder in FILES_DIR');
  const at = `the folder ${folder}`;
  return {
    at,
    async list(endings, signal) {
      const place = await placeOf(settings);
      const listing = createListing(at, endings, most);
      try {
        for await (const { name } of await opendir(place)) {
          signal.throwIfAborted();
          if (!listing.wants(name)) continue;
          // It was removed in between.
          const found = await lstat(join(place, name)).catch(() => undefined);
          if (found?.isFile() || found?.isSymbolicLink()) listing.add(fileOf(name, found));
        }
      } catch (error) {
        throw unreadable(error, at);
      }
      return listing.sorted();
    },
    async *read(file, [from, to] = [0, file.bytes], signal) {
      const { name } = file;
      let handle: FileHandle | undefined;
      try {
        handle = await open(join(await placeOf(settings), name), flags);
        await assertSame(handle, file);
        for await (const chunk of bytesOf(handle, name, from, to)) {
          signal.throwIfAborted();
          yield chunk;
        }
        await assertSame(handle, file);
      } catch (error) {
        throw signal.aborted ? signal.reason : unreadable(error, name);
      } finally {
        await handle?.close();
      }
    },
  };
};

/** The files of a folder of this machine. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { bounds } from '../bounds.ts';
import { textOf } from '../network-errors.ts';
import { SourceError } from '../source-error.ts';
import { type FileStore, hasEnding, type Range, type StoredFile } from './store.ts';

const toSourceError = (error: unknown): unknown =>
  /^E[A-Z]+$/.test(textOf(error, 'code'))
    ? new SourceError('connection_lost', `a file of the folder can't be read (${textOf(error, 'code')})`)
    : error;

const partOf = (range: Range | undefined) => (range ? { start: range[0], end: range[1] - 1 } : {});

export const openFolder = (folder: string): FileStore => ({
  at: folder,
  async list(endings) {
    const names = await readdir(folder).catch(() => {
      throw new SourceError('table_missing', `the folder ${folder} can't be read`);
    });
    const chosen = names.filter((name) => hasEnding(name, endings)).sort();
    if (chosen.length > bounds.files)
      throw new SourceError('too_large', `the folder has more than ${bounds.files} files`);
    const files: StoredFile[] = [];
    for (const name of chosen) {
      const found = await stat(join(folder, name)).catch(() => undefined);
      if (found?.isFile()) files.push({ name, bytes: found.size, changed: found.mtime.toISOString() });
    }
    return files;
  },
  async *read({ name }, range, signal) {
    try {
      yield* createReadStream(join(folder, name), { signal, ...partOf(range) }) as AsyncIterable<Buffer>;
    } catch (error) {
      throw signal.aborted ? signal.reason : toSourceError(error);
    }
  },
});

/** Rows on disk, in a file without a name: nobody else can open it, and it vanishes with its process, however that ends. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { textAt } from '../members.ts';
import { SourceError } from '../source-error.ts';
import { fromCells, type Kept, toCells } from './kept.ts';

export interface Block {
  readonly at: number;
  readonly bytes: number;
}

const unusable = (why: string): SourceError =>
  new SourceError(
    'server_error',
    `rows can't be sorted in the folder for temporary files (${why}): it needs space, and the right to write`,
  );

const orUnusable = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw unusable(textAt(error, 'code'));
  });

const openNameless = async (): Promise<FileHandle> => {
  const path = join(tmpdir(), `roster-sort-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
};

export const openScratch = async () => {
  const file = await orUnusable(openNameless());
  let end = 0;
  return {
    /** Of all blocks. */
    get bytes(): number {
      return end;
    },
    async write(rows: readonly Kept[]): Promise<Block> {
      const data = serialize(rows.map(toCells));
      const block = { at: end, bytes: data.length };
      await orUnusable(file.writeFile(data));
      end += data.length;
      return block;
    },
    async read({ at, bytes }: Block): Promise<readonly Kept[]> {
      const data = Buffer.allocUnsafe(bytes);
      const { bytesRead } = await orUnusable(file.read(data, 0, bytes, at));
      if (bytesRead < bytes) throw unusable('it ends early');
      const rows: ReturnType<typeof toCells>[] = deserialize(data);
      return rows.map(fromCells);
    },
    close: (): Promise<void> => file.close(),
  };
};

export type Scratch = Awaited<ReturnType<typeof openScratch>>;

/** Rows on disk, in a file that nobody else can open and that vanishes with its process. */
import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { textOf } from '../network-errors.ts';
import type { Found } from '../place.ts';
import { SourceError } from '../source-error.ts';

export interface Block {
  readonly at: number;
  readonly bytes: number;
}

export interface Scratch {
  /** Of all blocks. */
  readonly bytes: number;
  write(rows: readonly Found[]): Promise<Block>;
  read(block: Block): Promise<readonly Found[]>;
  close(): Promise<void>;
}

const unusable = (error: unknown): SourceError =>
  new SourceError(
    'server_error',
    `rows can't be sorted in the folder for temporary files, ${tmpdir()} (${textOf(error, 'code')}): it needs space, and the right to write`,
  );

const openHidden = async () => {
  const path = join(tmpdir(), `roster-sort-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
};

const orUnusable = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw unusable(error);
  });

export const openScratch = async (): Promise<Scratch> => {
  const file = await orUnusable(openHidden());
  let end = 0;
  return {
    get bytes() {
      return end;
    },
    async write(rows) {
      const data = serialize(rows);
      const block = { at: end, bytes: data.length };
      end += data.length;
      await orUnusable(file.writeFile(data));
      return block;
    },
    async read({ at, bytes }) {
      const data = Buffer.allocUnsafe(bytes);
      await orUnusable(file.read(data, 0, bytes, at));
      // It has written them itself.
      return deserialize(data) as Found[];
    },
    close: () => file.close(),
  };
};

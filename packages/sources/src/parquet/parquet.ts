/** Parquet. What can't be decoded is a problem of its file: rows before it and other files are read. */
import { unpack } from '../files/packed.ts';
import type { Format, Reading } from '../files/reading.ts';
import { rowsOfThread, type ThreadOptions } from './thread.ts';

export const createParquet = (options: ThreadOptions = {}): Format => ({
  endings: ['.parquet'],
  async *read(read): AsyncGenerator<readonly Reading[], void, undefined> {
    const { name } = read.file;
    for await (const heard of rowsOfThread(read, options)) {
      if ('problem' in heard) {
        yield [{ place: name, bytes: 0, problem: `can't be read as Parquet: ${heard.problem}` }];
        return;
      }
      const { first, bytes, packed } = heard.rows;
      yield packed.map((one, at) => ({
        place: `${name}, row ${first + at}`,
        bytes: bytes[at] ?? 0,
        ...(one !== undefined && { row: unpack(one), packed: one }),
      }));
    }
  },
});

export const parquet = createParquet();

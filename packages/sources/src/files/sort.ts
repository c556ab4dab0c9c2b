/**
 * Sorts rows in bounded memory and disk. What is more than fits into memory goes to disk in sorted runs, which are merged at the end.
 * When the disk has too much, the later half is dropped: the next pass over the files finds it.
 */
import { bounds } from '../bounds.ts';
import type { Found } from '../place.ts';
import { SourceError } from '../source-error.ts';
import { compare } from './order.ts';
import { createRunWriter, keptBytes, merge, type Run } from './run.ts';
import { openScratch, type Scratch } from './scratch.ts';

export interface SortBounds {
  readonly sortMemoryBytes: number;
  readonly sortDiskBytes: number;
}

const tooMany = (): SourceError =>
  new SourceError('too_large', 'too many rows share both UPDATED_AT and tie: choose a unique tie');

export const createSort = ({ sortMemoryBytes, sortDiskBytes }: SortBounds = bounds) => {
  let kept: Found[] = [];
  let bytes = 0;
  let scratch: Scratch | undefined;
  let runs: Run[] = [];
  /** What it would take to keep all rows of the runs. */
  let spilled = 0;
  /** Rows behind it are left for the next pass. */
  let end: Found | undefined;

  const spill = async (): Promise<void> => {
    scratch ??= await openScratch();
    const writer = createRunWriter(scratch);
    kept.sort(compare);
    for (const found of kept) await writer.add(found);
    runs.push(await writer.end());
    spilled += bytes;
    [kept, bytes] = [[], 0];
  };
  /** Groups stay whole, as the next pass begins behind the last one. */
  const dropLaterHalf = async (full: Scratch): Promise<void> => {
    const next = await openScratch();
    scratch = next;
    const writer = createRunWriter(next);
    const half = spilled / 2;
    spilled = 0;
    let last: Found | undefined;
    try {
      for await (const rows of merge(full, runs))
        for (const found of rows) {
          if (last && spilled > half && compare(found, last) > 0) return;
          await writer.add(found);
          spilled += keptBytes(found);
          last = found;
        }
    } finally {
      end = last;
      runs = [await writer.end()];
      await full.close();
    }
  };

  return {
    async add(found: Found): Promise<void> {
      if (end && compare(found, end) > 0) return;
      kept.push(found);
      bytes += keptBytes(found);
      if (bytes <= sortMemoryBytes) return;
      await spill();
      if (!scratch || scratch.bytes <= sortDiskBytes) return;
      await dropLaterHalf(scratch);
      if (scratch.bytes > sortDiskBytes) throw tooMany();
    },
    /** In order. */
    async *rows(): AsyncGenerator<readonly Found[], void, undefined> {
      if (scratch) {
        await spill();
        yield* merge(scratch, runs);
      } else if (kept.length > 0) yield kept.sort(compare);
    },
    /** Whether rows were left for the next pass. */
    hasMore: (): boolean => end !== undefined,
    close: async (): Promise<void> => scratch?.close(),
  };
};

/**
 * Sorts rows in bounded memory and disk. What is more than fits into memory goes to disk in sorted runs, which are merged at the end.
 * When the runs take too much of either, the later half is dropped: the next pass over the files finds it.
 */
import { bounds } from '../bounds.ts';
import type { Found } from '../place.ts';
import { SourceError } from '../source-error.ts';
import { type Kept, keep, keptBytes, rowOf } from './kept.ts';
import { compare } from './order.ts';
import { createRunWriter, headBytes, inParts, merge, type Run } from './run.ts';
import { openScratch, type Scratch } from './scratch.ts';

export interface SortBounds {
  readonly sortMemoryBytes: number;
  readonly sortDiskBytes: number;
  /** Of the blocks of which a merge holds one for each run. */
  readonly mergeBytes: number;
}

const tooMany = (): SourceError =>
  new SourceError(
    'too_large',
    'too many rows have the same UPDATED_AT and the same value in the column that tells rows apart: name a unique one as key',
  );

const totalHeads = (runs: readonly Run[]): number => runs.reduce((sum, run) => sum + headBytes(run), 0);

export const createSort = ({ sortMemoryBytes, sortDiskBytes, mergeBytes }: SortBounds = bounds) => {
  let held: Kept[] = [];
  let bytes = 0;
  let scratch: Scratch | undefined;
  let runs: Run[] = [];
  /** What it would take to keep all rows of the runs. */
  let spilled = 0;
  /** Rows behind it are left for the next pass. */
  let end: Kept | undefined;

  const spill = async (): Promise<Scratch> => {
    scratch ??= await openScratch();
    const writer = createRunWriter(scratch);
    held.sort(compare);
    for (const kept of held) await writer.add(kept);
    runs.push(await writer.end());
    spilled += bytes;
    [held, bytes] = [[], 0];
    return scratch;
  };
  /** Groups stay whole, as the next pass begins behind the last one. */
  const dropLaterHalf = async (full: Scratch): Promise<Scratch> => {
    const next = await openScratch();
    const writer = createRunWriter(next);
    const half = spilled / 2;
    let last: Kept | undefined;
    const copy = async (): Promise<void> => {
      spilled = 0;
      for await (const kept of merge(full, runs)) {
        if (last && spilled > half && compare(kept, last) > 0) return;
        await writer.add(kept);
        spilled += keptBytes(kept);
        last = kept;
      }
    };
    try {
      await copy();
      runs = [await writer.end()];
    } finally {
      scratch = next;
      await full.close();
    }
    end = last;
    return next;
  };

  return {
    async add(found: Found): Promise<void> {
      if (end && compare(found, end) > 0) return;
      const kept = keep(found);
      held.push(kept);
      bytes += keptBytes(kept);
      if (bytes <= sortMemoryBytes) return;
      const full = await spill();
      if (full.bytes <= sortDiskBytes && totalHeads(runs) <= mergeBytes) return;
      const { bytes: left } = await dropLaterHalf(full);
      if (left > sortDiskBytes) throw tooMany();
    },
    /** In order. */
    async *rows(): AsyncGenerator<readonly Found[], void, undefined> {
      const sorted = scratch ? merge(await spill(), runs) : held.sort(compare);
      for await (const part of inParts(sorted)) yield part.map(rowOf);
    },
    /** Whether rows were left for the next pass. */
    hasMore: (): boolean => end !== undefined,
    close: async (): Promise<void> => scratch?.close(),
  };
};

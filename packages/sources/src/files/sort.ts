/**
 * Sorts rows in bounded memory and disk. What is more than fits into memory goes to disk in sorted runs, which are merged at the end.
 * When the runs take too much of either, the later half is dropped: the next pass over the files finds it.
 */
import { bounds } from '../bounds.ts';
import type { Found } from '../place.ts';
import { tooManyAlike } from '../source-error.ts';
import { compare, type FileRow, type Kept, keep, keptBytes, rowOf } from './kept.ts';
import { headBytes, inParts, merge, type Run, writeRun } from './run.ts';
import { openScratch, type Scratch } from './scratch.ts';

/** `mergeBytes`: of the blocks of which a merge holds one for each run. */
export type SortBounds = Readonly<Record<'sortMemoryBytes' | 'sortDiskBytes' | 'mergeBytes', number>>;

const totalHeads = (runs: readonly Run[]): number => runs.reduce((sum, run) => sum + headBytes(run), 0);

export const createSort = ({ sortMemoryBytes, sortDiskBytes, mergeBytes }: SortBounds = bounds) => {
  let held: Kept[] = [];
  let bytes = 0;
  let scratch: Scratch | undefined;
  let runs: Run[] = [];
  /** The last row of the last run. */
  let newest: Kept | undefined;
  /** What it would take to keep all rows of the runs. */
  let spilled = 0;
  /** Rows behind it are left for the next pass. */
  let end: Kept | undefined;

  const spill = async (): Promise<Scratch> => {
    scratch ??= await openScratch();
    const [first] = held.sort(compare);
    const { run } = await writeRun(scratch, [held]);
    // Files are mostly in order already: then there is one run.
    if (newest && first && compare(newest, first) <= 0) runs.at(-1)?.push(...run);
    else runs.push(run);
    newest = held.at(-1);
    spilled += bytes;
    [held, bytes] = [[], 0];
    return scratch;
  };
  const dropLaterHalf = async (full: Scratch): Promise<Scratch> => {
    const next = await openScratch();
    try {
      const first = await writeRun(next, merge(full, runs), spilled / 2);
      runs = [first.run];
      spilled = first.bytes;
      end = first.last;
      newest = first.last;
    } finally {
      scratch = next;
      await full.close();
    }
    return next;
  };

  const makeRoom = async (): Promise<void> => {
    const full = await spill();
    if (full.bytes <= sortDiskBytes && totalHeads(runs) <= mergeBytes) return;
    const { bytes: left } = await dropLaterHalf(full);
    if (left > sortDiskBytes) throw tooManyAlike();
  };

  return {
    /** Something to wait for when the memory is full. */
    add(found: FileRow): Promise<void> | undefined {
      if (end && compare(found, end) > 0) return undefined;
      const kept = keep(found);
      held.push(kept);
      bytes += keptBytes(kept);
      return bytes > sortMemoryBytes ? makeRoom() : undefined;
    },
    /** In order. */
    async *rows(): AsyncGenerator<readonly Found[], void, undefined> {
      const parts = scratch ? merge(await spill(), runs) : inParts(held.sort(compare));
      for await (const part of parts) yield part.map(rowOf);
    },
    /** Whether rows were left for the next pass. */
    hasMore: (): boolean => end !== undefined,
    close: async (): Promise<void> => scratch?.close(),
  };
};

/** A sorted run of rows on disk: written in blocks, read with one block in memory. */
import { bounds } from '../bounds.ts';
import type { Found } from '../place.ts';
import { compare } from './order.ts';
import type { Block, Scratch } from './scratch.ts';

export type Run = readonly Block[];

/** What it takes to keep a row: one that is too large has no cells. */
export const keptBytes = ({ row, bytes }: Found): number => (row ? bytes : 0) + 200;

export const createRunWriter = (scratch: Scratch) => {
  const blocks: Block[] = [];
  let rows: Found[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (rows.length === 0) return;
    const full = rows;
    [rows, bytes] = [[], 0];
    blocks.push(await scratch.write(full));
  };
  return {
    async add(found: Found): Promise<void> {
      rows.push(found);
      bytes += keptBytes(found);
      if (bytes >= bounds.sortBlockBytes) await flush();
    },
    async end(): Promise<Run> {
      await flush();
      return blocks;
    },
  };
};

const openRun = async (scratch: Scratch, run: Run) => {
  let [rows, at, block]: [readonly Found[], number, number] = [[], 0, 0];
  const load = async (): Promise<void> => {
    const next = run[block++];
    [rows, at] = [next ? await scratch.read(next) : [], 0];
  };
  await load();
  return {
    head: (): Found | undefined => rows[at],
    async step(): Promise<void> {
      at += 1;
      if (at >= rows.length) await load();
    },
  };
};

/** All rows in order, a few hundred at a time. There are two hundred runs at most, so the first head is simply looked for. */
export async function* merge(
  scratch: Scratch,
  runs: readonly Run[],
): AsyncGenerator<Found[], void, undefined> {
  const open = await Promise.all(runs.map((run) => openRun(scratch, run)));
  let rows: Found[] = [];
  for (;;) {
    let least: { run: (typeof open)[number]; head: Found } | undefined;
    for (const run of open) {
      const head = run.head();
      if (head && (!least || compare(head, least.head) < 0)) least = { run, head };
    }
    if (!least) break;
    rows.push(least.head);
    await least.run.step();
    if (rows.length < 500) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

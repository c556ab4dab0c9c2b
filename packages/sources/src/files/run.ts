/** A sorted run of rows on disk: written in blocks, read with one block in memory. */
import { type Kept, keptBytes } from './kept.ts';
import { compare } from './order.ts';
import type { Block, Scratch } from './scratch.ts';

export type Run = readonly Block[];

const blockBytes = 65_536;

/** Of rows that are handed on at a time. */
const mostRows = 500;
const mostBytes = 1_048_576;

/** What it takes to read a run: its largest block. */
export const headBytes = (run: Run): number => run.reduce((most, { bytes }) => Math.max(most, bytes), 0);

export const createRunWriter = (scratch: Scratch) => {
  const blocks: Block[] = [];
  let rows: Kept[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (rows.length === 0) return;
    const full = rows;
    [rows, bytes] = [[], 0];
    blocks.push(await scratch.write(full));
  };
  return {
    async add(kept: Kept): Promise<void> {
      rows.push(kept);
      bytes += keptBytes(kept);
      if (bytes >= blockBytes) await flush();
    },
    async end(): Promise<Run> {
      await flush();
      return blocks;
    },
  };
};

const openRun = async (scratch: Scratch, run: Run) => {
  let [rows, at, block]: [readonly Kept[], number, number] = [[], 0, 0];
  const load = async (): Promise<void> => {
    const next = run[block++];
    [rows, at] = [next ? await scratch.read(next) : [], 0];
  };
  await load();
  return {
    head: (): Kept | undefined => rows[at],
    /** Something to wait for at the end of a block. */
    step(): Promise<void> | undefined {
      at += 1;
      return at < rows.length ? undefined : load();
    },
  };
};

/** All rows in order. There are two hundred runs at most, so the first head is simply looked for. */
export async function* merge(scratch: Scratch, runs: readonly Run[]): AsyncGenerator<Kept, void, undefined> {
  const open: Awaited<ReturnType<typeof openRun>>[] = [];
  for (const run of runs) open.push(await openRun(scratch, run));
  for (;;) {
    let least: { run: (typeof open)[number]; head: Kept } | undefined;
    for (const run of open) {
      const head = run.head();
      if (head && (!least || compare(head, least.head) < 0)) least = { run, head };
    }
    if (!least) return;
    yield least.head;
    const loading = least.run.step();
    if (loading) await loading;
  }
}

export async function* inParts(
  rows: AsyncIterable<Kept> | Iterable<Kept>,
): AsyncGenerator<readonly Kept[], void, undefined> {
  let [part, bytes]: [Kept[], number] = [[], 0];
  for await (const kept of rows) {
    part.push(kept);
    bytes += keptBytes(kept);
    if (part.length < mostRows && bytes < mostBytes) continue;
    yield part;
    [part, bytes] = [[], 0];
  }
  if (part.length > 0) yield part;
}

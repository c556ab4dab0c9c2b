/** A sorted run of rows on disk: written in blocks, read with one block in memory. */
import { compare, type Kept, keptBytes } from './kept.ts';
import type { Block, Scratch } from './scratch.ts';

export type Run = Block[];

const blockBytes = 65_536;

/** Of rows that are handed on at a time. */
const mostRows = 500;
const mostBytes = 1_048_576;

/** What it takes to read a run: its largest block. */
export const headBytes = (run: Run): number => run.reduce((most, { bytes }) => Math.max(most, bytes), 0);

/** Gathers rows until there are enough of them. */
const createPart = (most: { readonly bytes: number; readonly rows: number }) => {
  let [rows, bytes]: [Kept[], number] = [[], 0];
  return {
    /** Whether it is full. */
    add(kept: Kept): boolean {
      rows.push(kept);
      bytes += keptBytes(kept);
      return bytes >= most.bytes || rows.length >= most.rows;
    },
    take(): readonly Kept[] {
      const taken = rows;
      [rows, bytes] = [[], 0];
      return taken;
    },
  };
};

const handedOn = { bytes: mostBytes, rows: mostRows };

export function* inParts(rows: readonly Kept[]): Generator<readonly Kept[], void, undefined> {
  const part = createPart(handedOn);
  for (const kept of rows) if (part.add(kept)) yield part.take();
  yield part.take();
}

/**
 * Of many rows the first ones, which take about so many bytes; all of them unless told. Groups stay whole, as the next pass begins
 * behind the last row.
 */
export const writeRun = async (
  scratch: Scratch,
  sorted: Iterable<readonly Kept[]> | AsyncIterable<readonly Kept[]>,
  most = Number.POSITIVE_INFINITY,
): Promise<{ run: Run; bytes: number; last: Kept | undefined }> => {
  const run: Run = [];
  const block = createPart({ bytes: blockBytes, rows: Number.POSITIVE_INFINITY });
  const flush = async (): Promise<void> => {
    const rows = block.take();
    if (rows.length > 0) run.push(await scratch.write(rows));
  };
  let [last, bytes]: [Kept | undefined, number] = [undefined, 0];
  all: for await (const part of sorted)
    for (const kept of part) {
      if (last && bytes > most && compare(kept, last) > 0) break all;
      bytes += keptBytes(kept);
      last = kept;
      if (block.add(kept)) await flush();
    }
  await flush();
  return { run, bytes, last };
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

/** All rows in order. There are four hundred runs at most, so the first head is simply looked for. */
export async function* merge(scratch: Scratch, runs: readonly Run[]) {
  const open: Awaited<ReturnType<typeof openRun>>[] = [];
  for (const run of runs) open.push(await openRun(scratch, run));
  const part = createPart(handedOn);
  for (;;) {
    let least: { run: (typeof open)[number]; head: Kept } | undefined;
    for (const run of open) {
      const head = run.head();
      if (head && (!least || compare(head, least.head) < 0)) least = { run, head };
    }
    if (!least) break;
    if (part.add(least.head)) yield part.take();
    const loading = least.run.step();
    if (loading) await loading;
  }
  yield part.take();
}

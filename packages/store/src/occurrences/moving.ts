/** How rows are moved, by the migration and by merges: in steps that are one transaction each, with a rest after each. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kind } from '../documents.ts';

export interface MovingRun {
  signal?: AbortSignal;
  rowsInStep?: number;
  onMoved?(of: Kind, rows: number): void;
}

/** The last row of a step, from which the next one goes on, and the number of rows. */
export interface Moved<Place> {
  last: Place;
  count: number;
}

/** From the first row to the last one. Returns the number of rows. */
export const inSteps = async <Place>(
  of: Kind,
  step: (from: Place | undefined) => Promise<Moved<Place> | undefined>,
  { signal, restMs, onMoved }: MovingRun & { restMs(workedMs: number): number },
): Promise<number> => {
  let moved = 0;
  for (let from: Place | undefined; ; ) {
    signal?.throwIfAborted();
    const began = performance.now();
    const done = await step(from);
    if (!done) return moved;
    from = done.last;
    moved += done.count;
    onMoved?.(of, done.count);
    await sleep(restMs(performance.now() - began), undefined, { ...(signal && { signal }) });
  }
};

export const stepLimitMs = 60_000;

export const bytesInStep = 4 * 1024 * 1024;

/** Of a row without its properties, with room to spare. */
const bytesOfRow = 500;

/** Rows until they have so many bytes. */
export const rowsUpTo = async <Row extends { properties?: string }>(
  rows: AsyncIterable<Row>,
  most: number,
): Promise<{ rows: Row[]; isCut: boolean }> => {
  const taken: Row[] = [];
  let bytes = 0;
  for await (const row of rows) {
    taken.push(row);
    bytes += bytesOfRow + (row.properties?.length ?? 0);
    if (bytes >= most) return { rows: taken, isCut: true };
  }
  return { rows: taken, isCut: false };
};

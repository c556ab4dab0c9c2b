/** Sends all batches of an import and counts their results. */
import type { Progress } from '../progress.ts';
import { rowWords } from '../row-words.ts';
import type { Batch } from './batches.ts';
import { batchesIn, type World } from './batches-in.ts';
import type { ImportPlan } from './import-plan.ts';
import type { Journal } from './journal.ts';
import { lackOf } from './lacks.ts';
import { pump } from './pump.ts';
import type { Sent } from './sent.ts';
import { added, lostIn, type Position, type Totals } from './totals.ts';
import type { TrackClient } from './track-client.ts';

export interface SoFar {
  position: Position;
  totals: Totals;
}

export const longPauseMs = 3_000;

/** Written once, at the beginning: an import may take hours. */
const createLackNotes = (progress: Progress) => {
  const noted = new Set<string>();
  return ({ leftOut }: Sent): void => {
    for (const name of leftOut) {
      const lack = noted.has(name) ? undefined : lackOf(name);
      if (lack) progress.note(`${name}: left out, for ${lack.reason}; ${lack.remedy}.`);
      noted.add(name);
    }
  };
};

interface Means {
  client: TrackClient;
  journal: Journal;
  progress: Progress;
  soFar: SoFar;
  size: number | undefined;
}

/** Every answered batch is saved, also after a failure. */
export const pumpAll = async (
  plan: ImportPlan,
  world: World,
  { client, journal, progress, soFar, size }: Means,
): Promise<boolean> => {
  const rowsBefore = soFar.totals.rows;
  const noteLacks = createLackNotes(progress);
  let isWhole = false;
  const show = (): void =>
    progress.show(
      size === undefined ? undefined : soFar.position.bytes / Math.max(size, 1),
      rowWords(soFar.totals, rowsBefore),
    );
  const told = (batch: Batch, sent: Sent): void => {
    soFar.totals = added(soFar.totals, batch, sent);
    soFar.position = { bytes: batch.end, line: batch.nextLine };
    journal.add(soFar.position, soFar.totals, lostIn(batch, sent));
    noteLacks(sent);
    show();
  };
  show();
  try {
    const { batches, end } = await batchesIn(plan, world, soFar.position);
    const { concurrency, run, wait: isWaiting } = plan;
    isWhole = await pump(batches, { client, concurrency, run, isWaiting, stop: world.stop, told });
    // Empty lines at the end belong to no batch.
    if (isWhole) soFar.position = { ...soFar.position, bytes: Math.max(end(), soFar.position.bytes) };
    journal.add(soFar.position, soFar.totals, []);
    return isWhole;
  } finally {
    progress.end();
    journal.save(isWhole);
  }
};

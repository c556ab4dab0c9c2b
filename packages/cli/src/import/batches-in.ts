/** The batches of an import, from its beginning or from where it stopped. */
import { createReadStream } from 'node:fs';
import { addAbortSignal, type Readable } from 'node:stream';
import type { Terminal } from '../progress.ts';
import { batchesOf } from './batches.ts';
import { type ImportPlan, isStdin } from './import-plan.ts';
import { headerOf, rowsOf } from './source.ts';
import type { Position } from './totals.ts';

export interface World {
  stdin: Readable;
  terminal: Terminal;
  /** Set off by the person, or by the first failure. */
  stop: AbortController;
}

const openBytes = (plan: ImportPlan, { stdin, stop }: World, start: number): Readable =>
  addAbortSignal(stop.signal, isStdin(plan) ? stdin : createReadStream(plan.file, { start }));

export const beginning: Position = { bytes: 0, line: 1 };

const headerIn = async (plan: ImportPlan, position: Position): Promise<string | undefined> => {
  if (!plan.format.csv || position.bytes === 0) return undefined;
  const bytes = createReadStream(plan.file);
  return headerOf({ bytes, position: beginning, format: plan.format });
};

/** The batches from a position on, and the number of their bytes. */
export const batchesIn = async (plan: ImportPlan, world: World, position: Position) => {
  const header = await headerIn(plan, position);
  const bytes = openBytes(plan, world, position.bytes);
  const rows = rowsOf({ bytes, position, format: plan.format, header });
  const end = () => position.bytes + ('bytesRead' in bytes ? Number(bytes.bytesRead) : 0);
  return { batches: batchesOf(rows, { entries: plan.batchSize }), end };
};

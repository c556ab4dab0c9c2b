/** An import from its beginning, or from where it stopped, to its report. */
import { createReadStream } from 'node:fs';
import { addAbortSignal, type Readable } from 'node:stream';
import type { Watched } from '../person.ts';
import { exitCodes, failed, type Result, Stop } from '../result.ts';
import { batchesOf } from './batches.ts';
import { warningOf } from './csv-rows.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import { headerIn } from './header-in.ts';
import { type ImportPlan, isStdin, sizeOf, stateOf } from './import-plan.ts';
import { createJournal } from './journal.ts';
import { createLooks, type Looks } from './looks.ts';
import { type Ending, resultOf } from './report.ts';
import { type Header, rowsOf } from './source.ts';
import type { SavedState } from './state-file.ts';
import { lostIn, type Position } from './totals.ts';

const beginning: Position = { bytes: 0, line: 1 };

/** The batches from a position on, and the number of their bytes. */
const batchesIn = async (
  plan: ImportPlan,
  { stop, progress }: Watched,
  { position, looks }: Running,
  begin: (raw: Buffer) => void,
) => {
  const onHeader = ({ columns, guess, raw }: Header): void => {
    looks.begin(columns);
    if (guess) progress.note(guess);
    begin(raw);
  };
  const header = position.bytes > 0 ? await headerIn(plan.file, plan.format) : undefined;
  if (header) onHeader(header);
  const source: Readable = isStdin(plan)
    ? process.stdin
    : createReadStream(plan.file, { start: position.bytes });
  const bytes = addAbortSignal(stop.signal, source);
  const { format } = plan;
  const seen = { onHeader, onCells: looks.see, onEntries: looks.seeEntries };
  const rows = rowsOf({ bytes, position, format, header, ...seen });
  const end = () => position.bytes + ('bytesRead' in bytes ? Number(bytes.bytesRead) : 0);
  return { batches: batchesOf([rows], plan.batchSize), end };
};

interface Running {
  delivery: Delivery;
  size: number | undefined;
  from: SavedState | undefined;
  /** Everything before it is answered. */
  position: Position;
  looks: Looks;
}

/** Every answered batch is saved, also after a failure. */
const send = async (plan: ImportPlan, watched: Watched, running: Running): Promise<boolean> => {
  const { delivery, size, from } = running;
  const journal = createJournal(plan, from);
  let isWhole = false;
  try {
    const { batches, end } = await batchesIn(plan, watched, running, journal.begin);
    isWhole = await delivery.send(batches, (batch, sent) => {
      running.position = { bytes: batch.end, line: batch.nextLine };
      journal.add(running.position, delivery.totals(), {
        refusals: lostIn(batch, sent),
        raws: batch.raws,
        leftOut: [...batch.leftOut, ...sent.leftOut],
      });
      return size === undefined ? undefined : batch.end / Math.max(size, 1);
    });
    const { bytes, line } = running.position;
    // Empty lines at the end belong to no batch.
    if (isWhole) running.position = { bytes: Math.max(end(), bytes), line };
    journal.add(running.position, delivery.totals());
    return isWhole;
  } finally {
    journal.save(isWhole);
  }
};

/** Adds how to continue, when there is a place to continue from. */
const explained = (error: unknown, plan: ImportPlan, { position, delivery }: Running): unknown => {
  if (!(error instanceof Stop) || error.exitCode !== exitCodes.failed) return error;
  const next = isStdin(plan)
    ? 'Sent again within 24 hours, it counts once.'
    : `To go on from there: ${plan.goOn}`;
  const done = `Everything before line ${position.line} is done (${delivery.totals().rows} rows)`;
  return failed(`${error.message}\n${done}. ${next}`);
};

export const runImport = async (plan: ImportPlan, watched: Watched): Promise<Result> => {
  const { progress, seconds } = watched;
  const size = sizeOf(plan);
  const from = stateOf(plan);
  const delivery = createDelivery(watched, { ...plan, isWaiting: plan.wait, totals: from?.totals });
  const running: Running = {
    delivery,
    size,
    from,
    position: from?.position ?? beginning,
    looks: createLooks(),
  };
  const report = async (ending: Ending, took = 0): Promise<Result> =>
    resultOf({
      position: running.position,
      totals: delivery.totals(),
      file: isStdin(plan) ? 'standard input' : plan.file,
      ending,
      refusedFile: plan.refusedPath,
      refusedRowsFile: plan.refusedRowsPath,
      leftOutFile: plan.leftOutPath,
      looks: running.looks.looks(),
      seconds: took,
      goOn: isStdin(plan) ? undefined : plan.goOn,
      ...(plan.wait && ending !== 'interrupted' && { applied: await delivery.untilApplied() }),
    });
  if (from?.complete && from.position.bytes === size) return report('was complete');
  if (from) progress.note(`Going on from line ${from.position.line}: ${from.totals.rows} rows are done.`);
  const warning =
    isStdin(plan) || from ? undefined : warningOf((await headerIn(plan.file, plan.format))?.columns ?? []);
  if (warning) progress.note(warning);
  try {
    const isWhole = await send(plan, watched, running);
    return await report(isWhole ? 'complete' : 'interrupted', seconds());
  } catch (error) {
    throw explained(error, plan, running);
  }
};

/** An import from its beginning, or from where it stopped, to its report. */
import { createReadStream } from 'node:fs';
import { addAbortSignal, type Readable } from 'node:stream';
import { createProgress, type Progress, rowWords, type Terminal } from '../progress.ts';
import { exitCodes, failed, type Result, Stop } from '../result.ts';
import { type Batch, batchesOf } from './batches.ts';
import { warningIn } from './dry-run.ts';
import { type ImportPlan, isStdin, sizeOf, stateOf, statePathOf } from './import-plan.ts';
import { createJournal, type Journal } from './journal.ts';
import { pump } from './pump.ts';
import { type Ending, resultOf } from './report.ts';
import { lackOf, type Sent } from './sent.ts';
import { headerOf, rowsOf } from './source.ts';
import type { SavedState } from './state-file.ts';
import { keyIdOf } from './target.ts';
import { added, lostIn, noTotals, type Position, type Totals } from './totals.ts';
import { createTrackClient, type TrackClient, untilApplied } from './track-client.ts';

export interface World {
  stdin: Readable;
  terminal: Terminal;
  /** Set off by the person, or by the first failure. */
  stop: AbortController;
}

const openBytes = (plan: ImportPlan, { stdin, stop }: World, start: number): Readable =>
  addAbortSignal(stop.signal, isStdin(plan) ? stdin : createReadStream(plan.file, { start }));

const beginning: Position = { bytes: 0, line: 1 };

const headerIn = async (plan: ImportPlan, position: Position): Promise<string | undefined> => {
  if (!plan.format.csv || position.bytes === 0) return undefined;
  const bytes = createReadStream(plan.file);
  return headerOf({ bytes, position: beginning, format: plan.format });
};

/** The batches from a position on, and the number of their bytes. */
const batchesIn = async (plan: ImportPlan, world: World, position: Position) => {
  const header = await headerIn(plan, position);
  const bytes = openBytes(plan, world, position.bytes);
  const rows = rowsOf({ bytes, position, format: plan.format, header });
  const end = () => position.bytes + ('bytesRead' in bytes ? Number(bytes.bytesRead) : 0);
  return { batches: batchesOf(rows, { entries: plan.batchSize }), end };
};

const journalOf = (plan: ImportPlan, from: SavedState | undefined, { terminal }: World): Journal =>
  createJournal({
    statePath: isStdin(plan) ? undefined : statePathOf(plan.file),
    file: plan.file,
    refusedPath: plan.refusedPath,
    from,
    url: plan.target.url,
    key: keyIdOf(plan.target.key),
    settings: plan.settings,
    now: () => new Date(terminal.now()),
  });

interface SoFar {
  position: Position;
  totals: Totals;
}

const longPauseMs = 3_000;

const clientOf = (plan: ImportPlan, { stop, terminal }: World, progress: Progress): TrackClient => {
  let notedAt = 0;
  return createTrackClient({
    ...plan.target,
    giveUpAfterMs: plan.giveUpAfterMs,
    signal: stop.signal,
    onPause(ms, why) {
      if (ms < longPauseMs || terminal.now() - notedAt < longPauseMs) return;
      notedAt = terminal.now();
      progress.note(`waiting ${Math.ceil(ms / 1000)} s: ${why}`);
    },
  });
};

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
const pumpAll = async (
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

/** Adds how to continue, when there is a place to continue from. */
const explained = (error: unknown, plan: ImportPlan, { position, totals }: SoFar): unknown => {
  if (!(error instanceof Stop) || error.exitCode !== exitCodes.failed) return error;
  const next = isStdin(plan)
    ? 'Sent again within 24 hours, it counts once.'
    : `To go on from there: ${plan.goOn}`;
  const done = `Everything before line ${position.line} is done (${totals.rows} rows)`;
  return failed(`${error.message}\n${done}. ${next}`);
};

export const runImport = async (plan: ImportPlan, world: World): Promise<Result> => {
  const { terminal, stop } = world;
  const size = sizeOf(plan);
  const from = stateOf(plan);
  const soFar: SoFar = {
    position: from?.position ?? beginning,
    totals: from?.totals ?? noTotals(),
  };
  const progress = createProgress(terminal);
  const client = clientOf(plan, world, progress);
  const report = async (ending: Ending, seconds = 0): Promise<Result> => {
    const isWaiting = plan.wait && ending !== 'interrupted';
    return resultOf({
      ...soFar,
      file: isStdin(plan) ? 'standard input' : plan.file,
      ending,
      refusedFile: plan.refusedPath,
      seconds,
      goOn: isStdin(plan) ? undefined : plan.goOn,
      ...(isWaiting && { applied: await untilApplied(client, stop.signal) }),
    });
  };
  if (from?.complete && from.position.bytes === size) return report('was complete');
  if (from) progress.note(`Going on from line ${from.position.line}: ${from.totals.rows} rows are done.`);
  const warning = isStdin(plan) ? undefined : await warningIn(plan.file, plan.format);
  if (warning && !from) progress.note(warning);
  const journal = journalOf(plan, from, world);
  const began = terminal.now();
  try {
    const isWhole = await pumpAll(plan, world, { client, journal, progress, soFar, size });
    return await report(isWhole ? 'complete' : 'interrupted', (terminal.now() - began) / 1000);
  } catch (error) {
    throw explained(error, plan, soFar);
  }
};

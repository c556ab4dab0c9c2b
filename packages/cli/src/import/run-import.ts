/** An import from its beginning, or from where it stopped, to its report. */
import { createProgress, type Progress } from '../progress.ts';
import { exitCodes, failed, type Result, Stop } from '../result.ts';
import { beginning, type World } from './batches-in.ts';
import type { Ending } from './finding.ts';
import { type ImportPlan, isStdin, sizeOf, stateOf, statePathOf } from './import-plan.ts';
import { createJournal, type Journal } from './journal.ts';
import { longPauseMs, pumpAll, type SoFar } from './pump-all.ts';
import { resultOf } from './report.ts';
import type { SavedState } from './state-file.ts';
import { keyIdOf } from './target.ts';
import { noTotals, totalsFrom } from './totals.ts';
import { createTrackClient, type TrackClient, untilApplied } from './track-client.ts';

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
    totals: from ? totalsFrom(from.totals) : noTotals(),
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
  const journal = journalOf(plan, from, world);
  const began = terminal.now();
  try {
    const isWhole = await pumpAll(plan, world, { client, journal, progress, soFar, size });
    return await report(isWhole ? 'complete' : 'interrupted', (terminal.now() - began) / 1000);
  } catch (error) {
    throw explained(error, plan, soFar);
  }
};

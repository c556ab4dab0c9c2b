/** The records of an import: the refused rows, and its progress. Both in step, so that each refusal is written once. */
import { appendFileSync, existsSync, rmSync, statSync, truncateSync } from 'node:fs';
import { saveWhole } from '../saved-state.ts';
import type { Refusal } from './batches.ts';
import { type ImportPlan, isStdin } from './import-plan.ts';
import { fingerprintOf, type SavedState, statePathOf } from './state-file.ts';
import { keyIdOf } from './target.ts';
import type { Position, Totals } from './totals.ts';

export type Journaled = Pick<ImportPlan, 'file' | 'refusedPath' | 'target' | 'settings'>;

/** An answered batch is saved within this time. */
const everyMs = 500;

/** The lines after the last saved place will be written again. */
const cutBack = (path: string, bytes: number): number => {
  if (!existsSync(path)) return 0;
  if (bytes === 0) rmSync(path);
  else if (statSync(path).size > bytes) truncateSync(path, bytes);
  return bytes === 0 ? 0 : statSync(path).size;
};

/** Standard input has no state: only the list of refused rows is written. */
export const createJournal = (plan: Journaled, from?: SavedState, now = Date.now) => {
  const { file, refusedPath, target, settings } = plan;
  let refusedBytes = cutBack(refusedPath, from?.refused_file === refusedPath ? from.refused_bytes : 0);
  let latest: { position: Position; totals: Totals } | undefined;
  let unwritten = '';
  let savedAt = 0;

  const writeRefusals = (): void => {
    if (unwritten === '') return;
    appendFileSync(refusedPath, unwritten, { mode: 0o600, flush: true });
    refusedBytes += Buffer.byteLength(unwritten);
    unwritten = '';
  };
  const save = (complete: boolean): void => {
    savedAt = now();
    writeRefusals();
    if (!latest || isStdin(plan)) return;
    saveWhole(statePathOf(file), {
      version: 1,
      url: target.url,
      key: keyIdOf(target.key),
      settings,
      position: latest.position,
      fingerprint: fingerprintOf(file, latest.position.bytes),
      totals: latest.totals,
      refused_file: refusedPath,
      refused_bytes: refusedBytes,
      complete,
      saved_at: new Date(savedAt).toISOString(),
    } satisfies SavedState);
  };
  return {
    add(position: Position, totals: Totals, refusals: Refusal[]): void {
      latest = { position, totals };
      unwritten += refusals.map((refusal) => `${JSON.stringify(refusal)}\n`).join('');
      if (now() - savedAt >= everyMs) save(false);
    },
    save,
  };
};

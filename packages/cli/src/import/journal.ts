/** The records of an import: the refused rows, and its progress. Both in step, so that each refusal is written once. */
import { appendFileSync } from 'node:fs';
import { saveWhole } from '../saved-state.ts';
import type { RawRow, Refusal } from './batches.ts';
import { cutBack } from './cut-back.ts';
import { type ImportPlan, isStdin } from './import-plan.ts';
import { createRefusedRows } from './refused-rows.ts';
import { fingerprintOf, type SavedState, statePathOf } from './state-file.ts';
import { keyIdOf } from './target.ts';
import type { Position, Totals } from './totals.ts';

export type Journaled = Pick<ImportPlan, 'file' | 'refusedPath' | 'refusedRowsPath' | 'target' | 'settings'>;

/** An answered batch is saved within this time. */
const everyMs = 500;

/** Standard input has no state: only the list of refused rows is written. */
export const createJournal = (plan: Journaled, from?: SavedState, now = Date.now) => {
  const { file, refusedPath, refusedRowsPath, target, settings } = plan;
  const isSame = from?.refused_file === refusedPath;
  let refusedBytes = cutBack(refusedPath, isSame ? from.refused_bytes : 0);
  const rows = createRefusedRows(refusedRowsPath, isSame ? (from.refused_rows_bytes ?? 0) : 0);
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
    const rowsBytes = rows.write();
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
      refused_rows_bytes: rowsBytes,
      complete,
      saved_at: new Date(savedAt).toISOString(),
    } satisfies SavedState);
  };
  return {
    /** The header of CSV. */
    begin: rows.begin,
    add(position: Position, totals: Totals, refusals: Refusal[], raws: readonly RawRow[] = []): void {
      latest = { position, totals };
      rows.add(refusals, raws);
      unwritten += refusals.map((refusal) => `${JSON.stringify(refusal)}\n`).join('');
      if (now() - savedAt >= everyMs) save(false);
    },
    save,
  };
};

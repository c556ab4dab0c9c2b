/** The records of an import: what was refused and left out, and its progress. All in step, so that each is written once. */
import { stringifyExact } from '@roster/contract';
import { saveWhole } from '../saved-state.ts';
import type { RawRow, Refusal } from './batches.ts';
import { doesStayBehind } from './exported-user.ts';
import { type ImportPlan, isStdin } from './import-plan.ts';
import { createKeptList } from './kept-list.ts';
import { createRefusedRows } from './refused-rows.ts';
import type { LeftOutOf } from './row.ts';
import { fingerprintOf, type SavedState, statePathOf } from './state-file.ts';
import { keyIdOf } from './target.ts';
import type { Position, Totals } from './totals.ts';

export type Journaled = Pick<
  ImportPlan,
  'file' | 'refusedPath' | 'refusedRowsPath' | 'leftOutPath' | 'target' | 'settings'
>;

interface Told {
  refusals?: readonly Refusal[];
  raws?: readonly RawRow[];
  leftOut?: readonly LeftOutOf[];
}

/** An answered batch is saved within this time. */
const everyMs = 500;

const lineOf = (item: object): string => `${stringifyExact(item)}\n`;

/** Standard input has no state: only the lists are written. */
export const createJournal = (plan: Journaled, from?: SavedState, now = Date.now) => {
  const { file, refusedPath, refusedRowsPath, leftOutPath, target, settings } = plan;
  const same = from?.refused_file === refusedPath ? from : undefined;
  const refused = createKeptList(refusedPath, same?.refused_bytes ?? 0);
  const rows = refusedRowsPath && createRefusedRows(refusedRowsPath, same?.refused_rows_bytes ?? 0);
  const left = leftOutPath && createKeptList(leftOutPath, same?.left_out_bytes ?? 0);
  let latest: { position: Position; totals: Totals } | undefined;
  let savedAt = 0;

  const save = (complete: boolean): void => {
    savedAt = now();
    const bytes = {
      refused_bytes: refused.write(),
      refused_rows_bytes: rows ? rows.write() : 0,
      left_out_bytes: left ? left.write() : 0,
    };
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
      ...bytes,
      complete,
      saved_at: new Date(savedAt).toISOString(),
    } satisfies SavedState);
  };
  return {
    /** The header of CSV. */
    begin(raw: Buffer): void {
      if (rows) rows.begin(raw);
    },
    add(position: Position, totals: Totals, { refusals = [], raws = [], leftOut = [] }: Told = {}): void {
      latest = { position, totals };
      if (rows) rows.add(refusals, raws);
      refused.add(...refusals.map(lineOf));
      // What stays behind of everybody is told once, in the report.
      if (left) left.add(...leftOut.filter(({ name }) => !doesStayBehind(name)).map(lineOf));
      if (now() - savedAt >= everyMs) save(false);
    },
    save,
  };
};

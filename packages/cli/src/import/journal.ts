/** The records of an import: the refused rows, and its progress. Both in step, so that each refusal is written once. */
import { appendFileSync, existsSync, rmSync, statSync, truncateSync } from 'node:fs';
import { saveWhole } from '../saved-state.ts';
import type { Refusal } from './batches.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { SavedState } from './state-file.ts';
import type { Position, Totals } from './totals.ts';

export interface JournalOptions {
  /** Of the file; standard input has none. */
  statePath?: string | undefined;
  file: string;
  refusedPath: string;
  from?: SavedState | undefined;
  url: string;
  key: string;
  settings: Record<string, string>;
  now(): Date;
}

export interface Journal {
  add(position: Position, totals: Totals, refusals: Refusal[]): void;
  save(complete: boolean): void;
}

/** An answered batch is saved within this time. */
const everyMs = 500;

/** The lines after the last saved place will be written again. */
const cutBack = (path: string, bytes: number): number => {
  if (!existsSync(path)) return 0;
  if (bytes === 0) rmSync(path);
  else if (statSync(path).size > bytes) truncateSync(path, bytes);
  return bytes === 0 ? 0 : statSync(path).size;
};

export const createJournal = (options: JournalOptions): Journal => {
  const { statePath, file, refusedPath, from, url, key, settings, now } = options;
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
    savedAt = now().getTime();
    writeRefusals();
    if (!latest || statePath === undefined) return;
    const state: SavedState = {
      version: 1,
      url,
      key,
      settings,
      position: latest.position,
      fingerprint: fingerprintOf(file, latest.position.bytes),
      totals: latest.totals,
      refused_file: refusedPath,
      refused_bytes: refusedBytes,
      complete,
      saved_at: now().toISOString(),
    };
    saveWhole(statePath, state);
  };
  return {
    add(position, totals, refusals) {
      latest = { position, totals };
      unwritten += refusals.map((refusal) => `${JSON.stringify(refusal)}\n`).join('');
      if (now().getTime() - savedAt >= everyMs) save(false);
    },
    save,
  };
};

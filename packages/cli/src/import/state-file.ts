/** The progress of an import, beside its file: `<file>.roster-import.json`. Written as a whole or not at all. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { isRecord } from '../json.ts';
import { readSaved } from '../saved-state.ts';
import type { Position, Totals } from './totals.ts';

export interface SavedState {
  version: 1;
  /** The server, and the id of the key (without its secret). */
  url: string;
  key: string;
  /** The settings that shape the requests: with other settings the batches would differ. */
  settings: Record<string, string>;
  position: Position;
  /** Of the bytes before the position: their first and their last ones. */
  fingerprint: string;
  totals: Totals;
  /** The list of refused rows, and its length at the position. */
  refused_file: string;
  refused_bytes: number;
  /** Of the refused rows themselves, and of what was left out; an earlier version did not write them. */
  refused_rows_bytes?: number;
  left_out_bytes?: number;
  complete: boolean;
  saved_at: string;
}

export const statePathOf = (file: string): string => `${file}.roster-import.json`;

const edge = 64 * 1024;

const readAt = (file: string, from: number, length: number): Buffer => {
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(descriptor, buffer, 0, length, from));
  } finally {
    closeSync(descriptor);
  }
};

/** Of the first `bytes`, so that a file may grow. Of their first and last ones only: a change in the middle is not seen. */
export const fingerprintOf = (file: string, bytes: number): string =>
  createHash('sha256')
    .update(String(bytes))
    .update(readAt(file, 0, Math.min(edge, bytes)))
    .update(readAt(file, Math.max(0, bytes - edge), Math.min(edge, bytes)))
    .digest('hex');

const isState = (value: unknown): value is SavedState & Record<string, never> =>
  isRecord(value) && value.version === 1 && isRecord(value.position) && isRecord(value.totals);

/** `undefined` when there is none. */
export const readState = (path: string): SavedState | undefined =>
  readSaved(path, isState, 'no state of an import. --restart begins anew.');

const begunAnew =
  '--restart starts from the beginning; rows that were sent within the last 24 hours count once, older rows count twice';

const endsInALine = (file: string, bytes: number): boolean =>
  bytes === 0 || readAt(file, bytes - 1, 1)[0] === 0x0a;

/** The reason why the import cannot continue from there. */
export const obstacleOf = (
  state: SavedState,
  { file, key, settings }: Pick<SavedState, 'key' | 'settings'> & { file: string },
): string | undefined => {
  const names = [...new Set([...Object.keys(settings), ...Object.keys(state.settings)])];
  const other = names.filter((name) => settings[name] !== state.settings[name]);
  const { bytes } = state.position;
  const { size } = statSync(file);
  if (other.length > 0)
    return `this import was started with other settings (${other.join(', ')}). Use the same settings to continue; ${begunAnew}.`;
  // With the same idempotency keys, what had no answer yet counts once in its workspace.
  if (key !== state.key && bytes > 0)
    return `this import was started with the key ${state.key} at ${state.url}, not with ${key}, which may belong to another workspace. ${begunAnew}.`;
  if (size < bytes || fingerprintOf(file, bytes) !== state.fingerprint)
    return `${file} was changed: its first ${bytes} bytes are not the ones that were imported. ${begunAnew}.`;
  if (size > bytes && !endsInALine(file, bytes))
    return `the last line of ${file} was changed after it was imported. ${begunAnew}.`;
  return undefined;
};

/** The progress of an import, beside its file: `<file>.roster-import.json`. Written as a whole or not at all. */
import { statSync } from 'node:fs';
import { isRecord } from '../json.ts';
import { readSaved } from '../saved-state.ts';
import { fingerprintOf, readAt } from './fingerprint.ts';
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
  complete: boolean;
  saved_at: string;
}

const isState = (value: unknown): value is SavedState & Record<string, never> =>
  isRecord(value) && value.version === 1 && isRecord(value.position) && isRecord(value.totals);

/** `undefined` when there is none. */
export const readState = (path: string): SavedState | undefined =>
  readSaved(path, isState, 'no state of an import. --restart begins anew.');

const begunAnew =
  '--restart begins anew; what is then sent a second time counts once for 24 hours after it was sent first, and twice after that';

export interface Current {
  file: string;
  key: string;
  settings: Record<string, string>;
}

const endsInALine = (file: string, bytes: number): boolean =>
  bytes === 0 || readAt(file, bytes - 1, 1)[0] === 0x0a;

/** The reason why the import cannot continue from there. */
export const obstacleOf = (state: SavedState, { file, key, settings }: Current): string | undefined => {
  const names = [...new Set([...Object.keys(settings), ...Object.keys(state.settings)])];
  const other = names.filter((name) => settings[name] !== state.settings[name]);
  const { bytes } = state.position;
  const { size } = statSync(file);
  if (other.length > 0)
    return `this import was begun with other settings (${other.join(', ')}). Use the same ones to go on; ${begunAnew}.`;
  if (key !== state.key)
    return `this import was begun with the key ${state.key} at ${state.url}, not with ${key}: it may be another workspace. ${begunAnew}.`;
  if (size < bytes || fingerprintOf(file, bytes) !== state.fingerprint)
    return `${file} is not the file any more of which ${bytes} bytes were imported. ${begunAnew}.`;
  if (size > bytes && !endsInALine(file, bytes))
    return `${file} has grown within what was its last line. ${begunAnew}.`;
  return undefined;
};

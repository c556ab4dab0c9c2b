/** The progress of an export, beside its file: `<file>.roster-export.json`. Removed when it is complete. */
import { existsSync, rmSync, statSync } from 'node:fs';
import { isRecord } from '../json.ts';
import { wrong } from '../result.ts';
import { readSaved } from '../saved-state.ts';
import { type Pass, passes } from './passes.ts';
import type { Tally } from './tally.ts';

export interface Place {
  pass: Pass;
  /** All people up to this service id are written. */
  after: string;
  /** The bytes of the file with these people. */
  bytes: number;
}

export interface SavedExport {
  version: 1;
  workspace: string;
  /** The moment of all its reads, in MongoDB's form. */
  moment: string;
  place: Place;
  tally: Tally;
}

export const statePathOf = (file: string): string => `${file}.roster-export.json`;

/** An incomplete file has another name, so that it is not taken for the whole. */
export const partPathOf = (file: string): string => `${file}.part`;

export const forgetState = (file: string): void => rmSync(statePathOf(file), { force: true });

const isState = (value: unknown): value is SavedExport & Record<string, never> =>
  isRecord(value) &&
  value.version === 1 &&
  typeof value.moment === 'string' &&
  isRecord(value.place) &&
  passes.some((pass) => isRecord(value.place) && value.place.pass === pass);

/** `undefined` when there is none, or no incomplete file. */
export const readState = (file: string, workspace: string): SavedExport | undefined => {
  const [path, part] = [statePathOf(file), partPathOf(file)];
  const state = readSaved(path, isState, 'no state of an export. Without --resume it begins anew.');
  if (state && state.workspace !== workspace)
    throw wrong(`${path} is of an export of the workspace ${state.workspace}, not of ${workspace}.`);
  if (!state || !existsSync(part)) return undefined;
  if (statSync(part).size < state.place.bytes)
    throw wrong(
      `${part} is shorter than what was written: it is not the file of the export that stopped. Without --resume it begins anew.`,
    );
  return state;
};

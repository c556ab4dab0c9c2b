/** The progress of an export, beside its file: `<file>.roster-export.json`. Removed when it is complete. */
import { rmSync, statSync } from 'node:fs';
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

export const forgetState = (path: string): void => rmSync(path, { force: true });

const isState = (value: unknown): value is SavedExport & Record<string, never> =>
  isRecord(value) &&
  value.version === 1 &&
  typeof value.moment === 'string' &&
  isRecord(value.place) &&
  passes.some((pass) => isRecord(value.place) && value.place.pass === pass);

/** The reason why the export cannot continue there. */
export const obstacleOf = ({ place }: SavedExport, part: string): string | undefined =>
  statSync(part).size < place.bytes
    ? `${part} is shorter than what was written: it is not the file of the export that stopped. Without --resume it begins anew.`
    : undefined;

/** `undefined` when there is none. */
export const readState = (path: string, workspace: string): SavedExport | undefined => {
  const state = readSaved(path, isState, 'no state of an export. Without --resume it begins anew.');
  if (state && state.workspace !== workspace)
    throw wrong(`${path} is of an export of the workspace ${state.workspace}, not of ${workspace}.`);
  return state;
};

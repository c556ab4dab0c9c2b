/** How far an export has come, beside its file: `<file>.roster-export.json`. Gone when it is complete. */
import { rmSync, statSync } from 'node:fs';
import { isRecord } from '../json.ts';
import { wrong } from '../result.ts';
import { readSaved } from '../saved-state.ts';
import { type Pass, passes } from './passes.ts';
import type { Tally } from './tally.ts';

export interface Place {
  pass: Pass;
  /** Everybody up to this service id is written. */
  after: string;
  /** So much of the file belongs to them. */
  bytes: number;
}

export interface SavedExport {
  version: 1;
  workspace: string;
  /** Of which everything is: MongoDB's name for it. */
  moment: string;
  place: Place;
  tally: Tally;
}

export const statePathOf = (file: string): string => `${file}.roster-export.json`;

/** What is not complete has another name, so that nobody takes it for the whole. */
export const partPathOf = (file: string): string => `${file}.part`;

export const forgetState = (path: string): void => rmSync(path, { force: true });

const isState = (value: unknown): value is SavedExport & Record<string, never> =>
  isRecord(value) &&
  value.version === 1 &&
  typeof value.moment === 'string' &&
  isRecord(value.place) &&
  passes.some((pass) => isRecord(value.place) && value.place.pass === pass);

/** Why the export cannot go on there, if it can't. */
export const obstacleOf = ({ place }: SavedExport, part: string): string | undefined =>
  statSync(part).size < place.bytes
    ? `${part} is shorter than what was written: it is not the file of the export that stopped. Without --resume it begins anew.`
    : undefined;

/** Nothing when there is none. */
export const readState = (path: string, workspace: string): SavedExport | undefined => {
  const state = readSaved(path, isState, 'no state of an export. Without --resume it begins anew.');
  if (state && state.workspace !== workspace)
    throw wrong(`${path} is of an export of the workspace ${state.workspace}, not of ${workspace}.`);
  return state;
};

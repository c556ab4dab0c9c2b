/** The progress of a command, kept in a file beside the one it works on. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { parsedJson } from './json.ts';
import { wrong } from './result.ts';

/** On disk before it replaces the old one: there as a whole or not at all. */
export const saveText = (path: string, text: string): void => {
  writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
};

export const saveWhole = (path: string, state: object): void =>
  saveText(path, `${JSON.stringify(state, null, 2)}\n`);

/** Throws for a file that is not whole or not of this kind; `undefined` without a file. */
export const readSaved = <State>(
  path: string,
  isState: (value: unknown) => value is State,
  otherwise: string,
): State | undefined => {
  if (!existsSync(path)) return undefined;
  const state = parsedJson(readFileSync(path, 'utf8'));
  if (!isState(state)) throw wrong(`${path} is ${otherwise}`);
  return state;
};

/** What a command knows of its own progress, kept in a file beside the one it works on. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { parsedJson } from './json.ts';
import { wrong } from './result.ts';

/** On disk before it takes the place of the old one: there as a whole or not at all. */
export const saveWhole = (path: string, state: object): void => {
  writeFileSync(`${path}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
};

/** What is neither whole nor of this kind says so; nothing when there is no file. */
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

/** One YAML or JSON file with one workspace (or company) or several. All problems of it are reported at once. */
import { SettingsError } from '@roster/access';
import { narrowed } from '@roster/contract';
import { parseAllDocuments } from 'yaml';
import { type Io, readAs } from './io.ts';
import { refuseAll, wrong } from './result.ts';

/** The kind of a file, and how one item of it is checked. */
export interface FileKind<Settings> {
  what: string;
  complete(item: unknown): Settings;
}

/** Whole numbers that a double holds are numbers. */
export const withNumbers = (value: unknown): unknown => {
  if (typeof value === 'bigint') return narrowed(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withNumbers);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withNumbers(inner)]));
};

/** JSON is YAML. A file may hold one item, a list of them, or several documents. */
const itemsOf = (text: string, file: string): unknown[] => {
  const documents = [...parseAllDocuments(text, { intAsBigInt: true })];
  const errors = documents.flatMap((document) => document.errors.map(({ message }) => message));
  if (errors.length > 0) throw wrong(`${file} is not YAML or JSON:\n  ${errors.join('\n  ')}`);
  return documents.flatMap((document) => withNumbers(document.toJS())).filter((item) => item !== null);
};

const nameOf = (what: string, item: unknown, index: number): string => {
  const id = item && typeof item === 'object' && 'id' in item ? item.id : undefined;
  return typeof id === 'string' ? `${what} ${id}` : `${what} number ${index + 1}`;
};

/** What a file says, and the same with all defaults. */
export interface Read<Settings> {
  given: unknown;
  settings: Settings;
}

export const readSettings = <Settings extends { id: string }>(
  io: Io,
  file: string,
  { what, complete }: FileKind<Settings>,
): Read<Settings>[] => {
  const items = itemsOf(readAs(io, file, String), file);
  const problems: string[] = [];
  const read = items.flatMap((item, index) => {
    try {
      return [{ given: item, settings: complete(item) }];
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      problems.push(...error.problems.map((problem) => `${nameOf(what, item, index)}: ${problem}`));
      return [];
    }
  });
  const ids = read.map(({ settings }) => settings.id);
  for (const id of new Set(ids))
    if (ids.indexOf(id) !== ids.lastIndexOf(id)) problems.push(`${what} ${id}: is there more than once`);
  if (items.length === 0) problems.push(`there is no ${what} in it`);
  refuseAll(`${file} cannot be applied; nothing was changed`, problems);
  return read;
};

/** One YAML or JSON file with one workspace (or company) or several. Everything that is wrong in it is said at once. */
import { completeSettings, SettingsError, type WorkspaceSettings } from '@roster/access';
import { parseAllDocuments } from 'yaml';
import type { Io } from './io.ts';
import { wrong } from './result.ts';

const textOf = (io: Io, file: string): string => {
  try {
    return io.readText(file);
  } catch (error) {
    throw wrong(`cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  }
};

/** JSON is YAML. A file may hold one item, a list of them, or several documents. */
const itemsOf = (text: string, file: string): unknown[] => {
  const documents = parseAllDocuments(text);
  const errors = Array.isArray(documents) ? documents.flatMap((document) => document.errors) : [];
  if (errors.length > 0)
    throw wrong(`${file} is not YAML or JSON:\n  ${errors.map((e) => e.message).join('\n  ')}`);
  return [...documents].flatMap((document) => document.toJS() as unknown).filter((item) => item !== null);
};

/** What a file is about, and how one item of it is checked. */
export interface Kind<Settings> {
  what: string;
  complete(item: unknown): Settings;
}

const workspaces: Kind<WorkspaceSettings> = { what: 'workspace', complete: completeSettings };

const nameOf = (what: string, item: unknown, index: number): string => {
  const id = item && typeof item === 'object' && 'id' in item ? item.id : undefined;
  return typeof id === 'string' ? `${what} ${id}` : `${what} number ${index + 1}`;
};

const completed = <Settings>(
  { what, complete }: Kind<Settings>,
  item: unknown,
  index: number,
  problems: string[],
): Settings[] => {
  try {
    return [complete(item)];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    problems.push(...error.problems.map((problem) => `${nameOf(what, item, index)}: ${problem}`));
    return [];
  }
};

const readItems = <Settings extends { id: string }>(
  io: Io,
  file: string,
  kind: Kind<Settings>,
): Settings[] => {
  const items = itemsOf(textOf(io, file), file);
  const problems: string[] = [];
  const settings = items.flatMap((item, index) => completed(kind, item, index, problems));
  const ids = settings.map(({ id }) => id);
  for (const id of new Set(ids))
    if (ids.indexOf(id) !== ids.lastIndexOf(id)) problems.push(`${kind.what} ${id}: is there more than once`);
  if (items.length === 0) problems.push(`there is no ${kind.what} in it`);
  if (problems.length > 0)
    throw wrong(`${file} cannot be applied; nothing was changed:\n  - ${problems.join('\n  - ')}`);
  return settings;
};

export function readSettings(io: Io, file: string): WorkspaceSettings[];
export function readSettings<Settings extends { id: string }>(
  io: Io,
  file: string,
  kind: Kind<Settings>,
): Settings[];
export function readSettings(io: Io, file: string, kind: Kind<{ id: string }> = workspaces) {
  return readItems(io, file, kind);
}

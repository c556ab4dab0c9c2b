/** Applies a file of settings, or shows its changes. */
import type { Redis } from 'ioredis';
import type { Tools } from './act.ts';
import { audited } from './audited.ts';
import { differences } from './differences.ts';
import { publish } from './publish.ts';
import type { Result } from './result.ts';
import type { Servers } from './servers.ts';
import { type FileKind, readSettings } from './settings-file.ts';

export interface Settings {
  id: string;
}

export interface SettingsKind<Kept extends Settings> extends FileKind<Kept> {
  what: 'workspace' | 'company';
  stored: 'workspaces' | 'companies';
  publish(redis: Redis, settings: Kept): Promise<void>;
  /** The record with this id, or an end that lists the existing ones. */
  find(servers: Servers, id: string): Promise<Kept>;
  /** Adds the members that are newer than the stored record. Without it there are none. */
  upToDate?(stored: Kept): Kept;
  /** The columns of the list. */
  columns: Readonly<Record<string, (settings: Kept) => string | number>>;
  words: { about: string; show: string; argument: readonly [name: string, about: string]; applyHelp: string };
}

interface Change {
  id: string;
  change: 'created' | 'changed' | 'unchanged';
  differences: string[];
}

const changeOf = (before: Settings | undefined, after: Settings): Change => {
  if (!before) return { id: after.id, change: 'created', differences: [] };
  const found = differences(before, after);
  return { id: after.id, change: found.length > 0 ? 'changed' : 'unchanged', differences: found };
};

/** Publishes unchanged settings too: a repeated `apply` repairs a broken serving copy. */
const applyOne = async <Kept extends Settings>(
  { servers, io }: Tools,
  { what, stored, publish: tell }: SettingsKind<Kept>,
  settings: Kept,
  dryRun: boolean,
): Promise<Change> => {
  const store = await servers.store();
  const { id } = settings;
  const change = changeOf(await store[stored].get<Kept>(id), settings);
  if (dryRun) return change;
  const company = what === 'company' ? { company: id } : {};
  const entry = { what: `${what}.${change.change}`, target: id, ...company, now: io.now() };
  if (change.change !== 'unchanged')
    await audited(store, entry, (session) => store[stored].put(settings, session));
  await publish(servers, `${what} ${id} is saved`, (redis) => tell(redis, settings));
  return change;
};

export const apply = async <Kept extends Settings>(
  tools: Tools,
  kind: SettingsKind<Kept>,
  file: string,
  { dryRun = false }: { dryRun?: boolean },
): Promise<Result> => {
  const changes: Change[] = [];
  for (const settings of readSettings(tools.io, file, kind))
    changes.push(await applyOne(tools, kind, settings, dryRun));
  const lines = changes.flatMap(({ id, change, differences: found }) => [
    `${kind.what} ${id}: ${change}\n`,
    ...found.map((difference) => `  ${difference}\n`),
  ]);
  return {
    json: { applied: !dryRun, [kind.stored]: changes },
    text: lines.join(''),
    notes: dryRun ? ['Nothing was changed: this was a dry run.'] : [],
  };
};

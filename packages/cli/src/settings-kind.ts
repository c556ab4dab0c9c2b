/** Settings that are kept in files, workspaces and companies: `list`, `show` and `apply`. */
import { SettingsError } from '@roster/access';
import type { Redis } from 'ioredis';
import { stringify } from 'yaml';
import { audited, publish } from './audited.ts';
import type { Family, Tools } from './command.ts';
import { differences } from './differences.ts';
import { mergedSettings } from './merged-settings.ts';
import { type Result, refuseAll } from './result.ts';
import type { Servers } from './servers.ts';
import { type FileKind, type Read, readSettings } from './settings-file.ts';
import { type Columns, type MaybeLine, section, table } from './shown.ts';
import { suggestions } from './suggest.ts';

interface Settings {
  id: string;
}

export interface SettingsKind<Kept extends Settings> extends FileKind<Kept> {
  what: 'workspace' | 'company';
  stored: 'workspaces' | 'companies';
  publish(redis: Redis, settings: Kept): Promise<void>;
  /** The record with this id, or an end that lists the existing ones. */
  find(servers: Servers, id: string): Promise<Kept>;
  /** Fills in what is new since the record was stored. */
  upToDate(stored: Kept): Kept;
  columns: Columns<Kept>;
  about: string;
  show: string;
  argument: Readonly<Record<string, string>>;
  applyHelp: string;
  example: string;
}

const list = async <Kept extends Settings>({ servers }: Tools, kind: SettingsKind<Kept>): Promise<Result> => {
  const stored = await (await servers.store())[kind.stored].list<Kept>();
  const all = stored.map((one) => kind.upToDate(one));
  return { json: all, text: table(all, kind.columns) };
};

interface ApplyOptions {
  dryRun?: boolean;
  prune?: boolean;
}

interface Change<Kept extends Settings> {
  id: string;
  change: 'created' | 'changed' | 'unchanged';
  differences: string[];
  /** What the file leaves out, and --prune would remove. */
  kept: string[];
  after: Kept;
}

/** Without --prune an apply adds and changes, and removes nothing. */
const changeOf = <Kept extends Settings>(
  kind: SettingsKind<Kept>,
  stored: Kept | undefined,
  { given, settings }: Read<Kept>,
  prune: boolean,
): Change<Kept> => {
  const { id } = settings;
  if (!stored) return { id, change: 'created', differences: [], kept: [], after: settings };
  const before = kind.upToDate(stored);
  const after = prune ? settings : completed(kind, mergedSettings(before, given), id);
  const found = differences(before, after);
  const change = found.length > 0 ? 'changed' : 'unchanged';
  return { id, change, differences: found, kept: differences(after, settings), after };
};

/** What is stored and what is added may be too much together. */
const completed = <Kept extends Settings>(kind: SettingsKind<Kept>, merged: unknown, id: string): Kept => {
  try {
    return kind.complete(merged);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    refuseAll(`the file cannot be added to ${kind.what} ${id}; nothing was changed`, error.problems);
    throw error;
  }
};

/** Publishes unchanged settings too: a repeated `apply` repairs a broken serving copy. */
const applyOne = async <Kept extends Settings>(
  { servers, io }: Tools,
  { what, stored, publish: tell }: SettingsKind<Kept>,
  { id, change, after }: Change<Kept>,
): Promise<void> => {
  const store = await servers.store();
  const company = what === 'company' ? { company: id } : {};
  const entry = { what: `${what}.${change}`, target: id, ...company, now: io.now() };
  if (change !== 'unchanged') await audited(store, entry, (session) => store[stored].put(after, session));
  await publish(servers, `${what} ${id} is saved`, (redis) => tell(redis, after));
};

const inWords =
  (what: string) =>
  <Kept extends Settings>({ id, change, differences: found, kept }: Change<Kept>): string => {
    const lines = [...found, ...section('not in the file, so it was kept; --prune would make it:', kept)];
    return [`${what} ${id}: ${change}`, ...lines.map((line) => `  ${line}`), ''].join('\n');
  };

/** A wrong letter in the id makes a second workspace. */
const secondOnes = (
  changes: readonly Pick<Change<Settings>, 'id' | 'change'>[],
  what: string,
  stored: readonly string[],
): string[] =>
  changes.flatMap(({ id, change }) => {
    const [near] = change === 'created' ? suggestions(id, stored, 1) : [];
    return near === undefined
      ? []
      : [`${id} is a new ${what}. If you mean ${near}, correct the id in the file.`];
  });

const notesOf = (
  changes: readonly { kept: string[] }[],
  { dryRun = false, prune = false }: ApplyOptions,
): MaybeLine[] => [
  !prune &&
    changes.some(({ kept }) => kept.length > 0) &&
    'Add --prune to make the file the whole truth: then what is not in it is removed, or has its default again.',
  dryRun && 'Nothing was changed: this was a dry run.',
];

const apply = async <Kept extends Settings>(
  tools: Tools,
  kind: SettingsKind<Kept>,
  file: string,
  options: ApplyOptions,
): Promise<Result> => {
  const { dryRun = false, prune = false } = options;
  const read = readSettings(tools.io, file, kind);
  const stored = await (await tools.servers.store())[kind.stored].list<Kept>();
  const byId = new Map(stored.map((one) => [one.id, one]));
  const changes = read.map((item) => changeOf(kind, byId.get(item.settings.id), item, prune));
  if (!dryRun) for (const change of changes) await applyOne(tools, kind, change);
  return {
    json: { applied: !dryRun, [kind.stored]: changes.map(({ after: _, ...change }) => change) },
    text: changes.map(inWords(kind.what)).join(''),
    notes: [...secondOnes(changes, kind.what, [...byId.keys()]), ...notesOf(changes, options)],
  };
};

export const settingsCommands = <Kept extends Settings>(kind: SettingsKind<Kept>): Family => {
  const { about, show, argument, applyHelp, example } = kind;
  return {
    about,
    example,
    commands: {
      list: { about: `all ${kind.stored}`, run: (tools: Tools) => list(tools, kind) },
      show: {
        about: `${show}, as a file that can be applied`,
        args: argument,
        async run({ servers }: Tools, id: string) {
          const settings = await kind.find(servers, id);
          return { json: settings, text: stringify(settings) };
        },
      },
      apply: {
        about: `make or change ${kind.stored} from a YAML or JSON file`,
        args: { '<file>': 'the file; - is standard input' },
        flags: {
          '--dry-run': 'say what would change, and change nothing',
          '--prune': 'remove what the file leaves out',
        },
        help: applyHelp,
        run: (tools: Tools, file: string, options: ApplyOptions) => apply(tools, kind, file, options),
      },
    },
  };
};

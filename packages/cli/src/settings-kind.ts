/** Settings that are kept in files, workspaces and companies: `list`, `show` and `apply`. */
import type { Command } from 'commander';
import type { Redis } from 'ioredis';
import { stringify } from 'yaml';
import type { Act, Tools } from './act.ts';
import { audited } from './audited.ts';
import { differences } from './differences.ts';
import { publish } from './publish.ts';
import type { Result } from './result.ts';
import type { Servers } from './servers.ts';
import { type FileKind, readSettings } from './settings-file.ts';
import { table } from './shown.ts';

interface Settings {
  id: string;
}

export interface SettingsKind<Kept extends Settings> extends FileKind<Kept> {
  what: 'workspace' | 'company';
  stored: 'workspaces' | 'companies';
  publish(redis: Redis, settings: Kept): Promise<void>;
  /** The record with this id, or an end that lists the existing ones. */
  find(servers: Servers, id: string): Promise<Kept>;
  /** Fills in what is new since the record was stored; there is nothing new without it. */
  upToDate?(stored: Kept): Kept;
  /** The columns of the list. */
  columns: Readonly<Record<string, (settings: Kept) => string | number>>;
  words: { about: string; show: string; argument: readonly [name: string, about: string]; applyHelp: string };
}

const list = async <Kept extends Settings>({ servers }: Tools, kind: SettingsKind<Kept>): Promise<Result> => {
  const stored = await (await servers.store())[kind.stored].list<Kept>();
  const all = kind.upToDate ? stored.map(kind.upToDate) : stored;
  const cells = Object.values(kind.columns);
  const rows = all.map((settings) => cells.map((cell) => String(cell(settings))));
  return { json: all, text: table(Object.keys(kind.columns), rows) };
};

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

const apply = async <Kept extends Settings>(
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

export const addSettingsCommands = <Kept extends Settings>(
  program: Command,
  act: Act,
  kind: SettingsKind<Kept>,
): void => {
  const { about, show, argument, applyHelp } = kind.words;
  const family = program.command(kind.what).description(about);
  family
    .command('list')
    .description(`all ${kind.stored}`)
    .action(act((tools) => list(tools, kind)));
  family
    .command('show')
    .description(`${show}, as a file that can be applied`)
    .argument(...argument)
    .action(
      act(async ({ servers }, id: string) => {
        const settings = await kind.find(servers, id);
        return { json: settings, text: stringify(settings) };
      }),
    );
  family
    .command('apply')
    .description(`make or change ${kind.stored} from a YAML or JSON file`)
    .argument('<file>', 'the file; - is standard input')
    .option('--dry-run', 'say what would change, and change nothing')
    .addHelpText('after', applyHelp)
    .action(act((tools, file: string, options: { dryRun?: boolean }) => apply(tools, kind, file, options)));
};

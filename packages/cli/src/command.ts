/** Commands as tables: words, flags, help and work. Parsing, help and the list in the README follow from them. */
import type { WorkspaceSettings } from '@roster/access';
import type { Store } from '@roster/store';
import { type Command as Commander, InvalidArgumentError, Option } from 'commander';
import { chosenWorkspace } from './chosen-workspace.ts';
import type { Io } from './io.ts';
import type { Result } from './result.ts';
import type { Servers } from './servers.ts';

export interface Tools {
  io: Io;
  servers: Servers;
}

export interface WorkspaceTools extends Tools {
  store: Store;
  settings: WorkspaceSettings;
  /** Its id. */
  ws: string;
}

interface Flag {
  about: string;
  parse?(text: string, before: never): unknown;
  usual?: unknown;
  choices?: readonly string[];
  isNeeded?: boolean;
}

/** By their words: `--people <count>`. */
export type Flags = Readonly<Record<string, string | Flag>>;

interface Described {
  about: string;
  /** Below the flags. */
  help?: string;
  /** For the help of `roster` and the README. */
  example?: string;
}

/** The last arguments of its work are its flags, and what commander knows. */
type Work<Own extends Tools> = (tools: Own, ...args: never[]) => Promise<Result> | Result;

/** `args` by their words; `workspace`: what its flag --workspace is. */
export type Command = Described & { args?: Readonly<Record<string, string>>; flags?: Flags } & (
    | { workspace?: undefined; run: Work<Tools> }
    | { workspace: string; run: Work<WorkspaceTools> }
  );

export interface Family extends Described {
  commands: Commands;
}

/** By their words: the name, and arguments that need no explanation, as in `show <id>`. */
export interface Commands {
  readonly [words: string]: Command | Family;
}

/** Runs the work with its tools, and prints its result. */
export type Act = (work: (tools: Tools) => Promise<Result> | Result) => Promise<void>;

export const needed = (about: string): Flag => ({ about, isNeeded: true });

export const oneOf = (about: string, choices: readonly string[]): Flag => ({ about, choices });

/** A flag that may be repeated; with a separator it also takes several values at once. */
export const list = (about: string, separator?: string): Flag => ({
  about,
  parse: (text: string, before: string[]) => [
    ...before,
    ...(separator === undefined ? [text] : text.split(separator).filter(Boolean)),
  ],
  usual: [],
});

export const wholeNumber = (about: string, [from, to]: readonly [number, number], usual?: number): Flag => ({
  about,
  parse(text) {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (!Number.isInteger(value) || value < from || value > to)
      throw new InvalidArgumentError(`Give a whole number from ${from} to ${to}.`);
    return value;
  },
  usual,
});

const optionOf = ([words, flag]: [string, string | Flag]): Option => {
  const {
    about,
    parse,
    usual,
    choices,
    isNeeded = false,
  }: Flag = typeof flag === 'string' ? { about: flag } : flag;
  const option = new Option(words, about).makeOptionMandatory(isNeeded);
  if (usual !== undefined) option.default(usual);
  if (choices) option.choices(choices);
  // commander promises the value of before, which is the usual one at first.
  if (parse) option.argParser(parse as (text: string, before: unknown) => unknown);
  return option;
};

const addWork = (made: Commander, command: Command, act: Act): void => {
  const { args = {}, flags = {}, workspace } = command;
  for (const [words, about] of Object.entries(args)) made.argument(words, about);
  const all = { ...(workspace !== undefined && { '--workspace <id>': workspace }), ...flags };
  for (const option of Object.entries(all).map(optionOf)) made.addOption(option);
  made.action((...given: unknown[]) =>
    act(async (tools) => {
      // The table of a command says which arguments and flags its work gets.
      const each = given as never[];
      if (command.workspace === undefined) return command.run(tools, ...each);
      const settings = await chosenWorkspace(tools.servers, made.opts());
      const store = await tools.servers.store();
      return command.run({ ...tools, store, settings, ws: settings.id }, ...each);
    }),
  );
};

export const addCommands = (program: Commander, commands: Commands, act: Act): void => {
  for (const [words, entry] of Object.entries(commands)) {
    const made = program.command(words).description(entry.about);
    if (entry.help !== undefined) made.addHelpText('after', entry.help);
    if ('run' in entry) addWork(made, entry, act);
    else addCommands(made, entry.commands, act);
  }
};

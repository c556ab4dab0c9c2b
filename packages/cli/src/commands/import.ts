import { existsSync } from 'node:fs';
import { type Command as Commander, InvalidArgumentError } from 'commander';
import { type Command, oneOf, type Tools, wholeNumber } from '../command.ts';
import { type ValueType, valueTypes } from '../import/cell-values.ts';
import { dryRun } from '../import/dry-run.ts';
import { lineTypes } from '../import/entry-kind.ts';
import { importHelp } from '../import/help.ts';
import { formatOf, type ImportOptions, planOf } from '../import/import-plan.ts';
import { runImport } from '../import/run-import.ts';
import { watched } from '../person.ts';
import { type Result, wrong } from '../result.ts';

const withNew = <T>(before: Readonly<Record<string, T>>, name: string, value: T): Record<string, T> => {
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`${name} is given twice. Give it once.`);
  return { ...before, [name]: value };
};

const mapping = (text: string, before: Record<string, string> = {}): Record<string, string> => {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Give column=field, or column= to leave the column out.');
  return withNew(before, text.slice(0, at), text.slice(at + 1));
};

/** `undefined`: the text is no column with a type. */
const typeIn = (text: string): [column: string, type: ValueType] | undefined => {
  const at = text.lastIndexOf('=');
  const type = valueTypes.find((one) => one === text.slice(at + 1).trim());
  return at > 0 && type ? [text.slice(0, at), type] : undefined;
};

const columnTypes = (text: string, before?: true | Record<string, ValueType>): Record<string, ValueType> => {
  const typed = typeof before === 'object' ? before : {};
  const parts = text.split(',');
  if (parts.length > 1 && parts.every((one) => typeIn(one)))
    throw new InvalidArgumentError(`Give one column each: ${parts.map((one) => `--types ${one}`).join(' ')}`);
  const [column, type] = typeIn(text) ?? [];
  if (column === undefined || type === undefined)
    throw new InvalidArgumentError(
      `Give column=type, such as age=number; a type is one of ${valueTypes.join(', ')}. --types alone, which knows numbers and true/false by their looks, stands behind the file.`,
    );
  return withNew(typed, column, type);
};

/** The name of an app may have an equals sign, an id none. */
const appId = (text: string, before: Record<string, string> = {}): Record<string, string> => {
  const at = text.lastIndexOf('=');
  if (at < 1 || at === text.length - 1)
    throw new InvalidArgumentError("Give name=id, such as 'Shop iOS=shop-ios'.");
  return withNew(before, text.slice(0, at), text.slice(at + 1));
};

const character = (text: string): string => {
  const delimiter = text === '\\t' || text === 'tab' ? '\t' : text;
  if (!/^[\t\x20-\x21\x23-\x7e]$/.test(delimiter))
    throw new InvalidArgumentError('Give one character of ASCII, such as ; or tab, and no quote.');
  return delimiter;
};

const existing = (file: string): string => {
  if (file === '-') throw wrong('--dry-run reads a file, not standard input.');
  if (!existsSync(file)) throw wrong(`there is no file ${file}.`);
  return file;
};

/** Of both kinds, the command line would forget one. */
const checkTypes = (args: readonly string[]): void => {
  const given = args.flatMap((arg, at) => (arg === '--types' ? [args[at + 1] ?? ''] : []));
  const isNamed = (text: string): boolean => text !== '' && !text.startsWith('-');
  if (args.some((arg) => arg.startsWith('--types=')) || given.some(isNamed))
    if (given.some((text) => !isNamed(text)))
      throw wrong(
        '--types alone and --types column=type do not go together: give types of columns, or none.',
      );
};

const run = ({ io }: Tools, file: string, options: ImportOptions, { parent }: Commander): Promise<Result> => {
  checkTypes(parent?.args ?? []);
  if (options.dryRun)
    return watched(io, (work) =>
      dryRun({ ...options, file: existing(file), format: formatOf(file, options) }, work),
    );
  const plan = planOf(io, file, options, parent?.args ?? []);
  return watched(io, (work) => runImport(plan, work));
};

export const importCommand: Command = {
  about: 'send people, events and purchases from a file, through the public interface',
  example: 'roster import people.csv',
  args: { '<file>': 'NDJSON (.ndjson, .jsonl) or CSV (.csv, .tsv); - is standard input' },
  flags: {
    '--url <address>': 'the ingress; else ROSTER_URL, else the local stack that runs',
    '--key <key>': 'an API key with users.track; better ROSTER_API_KEY, which no process list shows',
    '--format <format>': oneOf('what the file is, where its name does not tell', ['ndjson', 'csv']),
    '--type <type>': oneOf('what every row is; without it, members or columns tell', lineTypes),
    '--map <column=field>': { about: 'CSV: the field for a column; repeat it for more', parse: mapping },
    '--types [column=type]': {
      about:
        'CSV: the type of a column, repeat it for more; without one, know numbers and true/false by their looks',
      parse: columnTypes,
    },
    '--app <name=id>': {
      about: 'exported users: the id of the app with this name in the export; repeat it for more',
      parse: appId,
    },
    '--delimiter <character>': {
      about: 'CSV: what stands between cells (default: a comma, a tab for .tsv)',
      parse: character,
    },
    '--batch-size <entries>': wholeNumber('entries in a request; a workspace may take more', [1, 1000], 50),
    '--concurrency <requests>': wholeNumber('requests under way at once', [1, 64], 4),
    '--give-up-after <seconds>': wholeNumber('when the server does not answer', [1, 86_400], 300),
    '--dry-run': 'judge every row and show which column becomes what; send nothing',
    '--restart': 'begin anew, whatever was imported before',
    '--refused <file>': 'where refused rows go (default: <file>.refused.ndjson)',
    '--run <name>': 'a part of the idempotency keys: under another name the same rows count again',
    '--wait': 'wait until everything is applied (needs users.export.ids too)',
  },
  help: importHelp,
  run,
};

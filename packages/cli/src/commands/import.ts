import { existsSync } from 'node:fs';
import { type Command as Commander, InvalidArgumentError } from 'commander';
import { type Command, oneOf, type Tools, wholeNumber } from '../command.ts';
import { type ValueType, valueTypes } from '../import/cell-values.ts';
import { dryRun } from '../import/dry-run.ts';
import { importHelp } from '../import/help.ts';
import { formatOf, type ImportOptions, planOf } from '../import/import-plan.ts';
import { lineTypes } from '../import/json-line.ts';
import { runImport } from '../import/run-import.ts';
import { watched } from '../person.ts';
import { type Result, wrong } from '../result.ts';

const mapping = (text: string, before: Record<string, string> = {}): Record<string, string> => {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Give column=field, or column= to leave the column out.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
};

const columnTypes = (text: string, before?: true | Record<string, ValueType>): Record<string, ValueType> => {
  const [, column = '', named] = /^(.+)=(\w+)$/s.exec(text) ?? [];
  const type = valueTypes.find((one) => one === named);
  if (!type)
    throw new InvalidArgumentError(
      `Give column=type, a type being ${valueTypes.join(', ')}; --types alone stands behind the file.`,
    );
  return { ...(typeof before === 'object' && before), [column]: type };
};

/** The name of an app may have an equals sign, an id none. */
const appId = (text: string, before: Record<string, string> = {}): Record<string, string> => {
  const at = text.lastIndexOf('=');
  if (at < 1 || at === text.length - 1)
    throw new InvalidArgumentError("Give name=id, such as 'Shop iOS=shop-ios'.");
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
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

const run = ({ io }: Tools, file: string, options: ImportOptions, { parent }: Commander): Promise<Result> => {
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
    '--type <type>': oneOf('what every row is', lineTypes),
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

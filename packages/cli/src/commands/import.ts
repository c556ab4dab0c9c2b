import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Act } from '../act.ts';
import { dryRun } from '../import/dry-run.ts';
import { importHelp } from '../import/help.ts';
import { lineTypes } from '../import/json-line.ts';
import { runImport } from '../import/run-import.ts';
import { watched } from '../person.ts';
import { wrong } from '../result.ts';
import { wholeNumber } from '../whole-number.ts';
import { formatOf, type ImportOptions, planOf } from './import-options.ts';

const mapping = (text: string, before: Record<string, string> = {}): Record<string, string> => {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Give column=field, or column= to leave the column out.');
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

export const addImportCommand = (program: Command, act: Act): void => {
  program
    .command('import')
    .description('send people, events and purchases from a file, through the public interface')
    .argument('<file>', 'NDJSON (.ndjson, .jsonl) or CSV (.csv, .tsv); - is standard input')
    .option('--url <address>', 'the ingress; else ROSTER_URL, else the local stack that runs')
    .option('--key <key>', 'an API key with users.track; better ROSTER_API_KEY, which no process list shows')
    .addOption(
      new Option('--format <format>', 'what the file is, where its name does not tell').choices([
        'ndjson',
        'csv',
      ]),
    )
    .addOption(new Option('--type <type>', 'what every row is').choices([...lineTypes]))
    .option('--map <column=field>', 'CSV: the field for a column; repeat it for more', mapping)
    .option('--types', 'CSV: know numbers and true/false by their looks')
    .option(
      '--delimiter <character>',
      'CSV: what stands between cells (default: a comma, a tab for .tsv)',
      character,
    )
    .option(
      '--batch-size <entries>',
      'entries in a request; a workspace may take more',
      wholeNumber(1, 1000),
      50,
    )
    .option('--concurrency <requests>', 'requests under way at once', wholeNumber(1, 64), 4)
    .option('--give-up-after <seconds>', 'when the server does not answer', wholeNumber(1, 86_400), 300)
    .option('--dry-run', 'show which column becomes what, with a sample; send nothing')
    .option('--restart', 'begin anew, whatever was imported before')
    .option('--refused <file>', 'where refused rows go (default: <file>.refused.ndjson)')
    .option('--run <name>', 'a part of the idempotency keys: under another name the same rows count again')
    .option('--wait', 'wait until everything is applied (needs users.export.ids too)')
    .addHelpText('after', importHelp)
    .action(
      act(({ io }, file: string, options: ImportOptions) => {
        if (options.dryRun) return dryRun(existing(file), formatOf(file, options));
        const plan = planOf(io, file, options, program.args);
        return watched(io, (work) => runImport(plan, work));
      }),
    );
};

import { extname } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Act } from '../act.ts';
import { importHelp } from '../import/help.ts';
import type { ImportPlan } from '../import/import-plan.ts';
import { isLineType, type LineType, lineTypes } from '../import/json-line.ts';
import { runImport } from '../import/run-import.ts';
import type { Format } from '../import/source.ts';
import { targetOf } from '../import/target.ts';
import type { Io } from '../io.ts';
import { interruptible, terminalOf } from '../person.ts';
import { wrong } from '../result.ts';
import { quoted } from '../shown.ts';
import { wholeNumber } from '../whole-number.ts';

interface ImportOptions {
  url?: string;
  key?: string;
  format?: 'ndjson' | 'csv';
  type?: string;
  map?: Record<string, string>;
  types?: boolean;
  delimiter?: string;
  batchSize: number;
  concurrency: number;
  giveUpAfter: number;
  restart?: boolean;
  refused?: string;
  run?: string;
  wait?: boolean;
}

const formats: Readonly<Record<string, 'ndjson' | 'csv'>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'ndjson',
};

const kindOf = (file: string, { format }: ImportOptions): 'ndjson' | 'csv' => {
  const known = format ?? (file === '-' ? 'ndjson' : formats[extname(file).toLowerCase()]);
  if (!known) throw wrong(`is ${file} NDJSON or CSV? Say --format ndjson or --format csv.`);
  return known;
};

const typeIn = ({ type }: ImportOptions): LineType | undefined => (isLineType(type) ? type : undefined);

const delimiterOf = (file: string, { delimiter }: ImportOptions): string =>
  delimiter ?? (extname(file).toLowerCase() === '.tsv' ? '\t' : ',');

const formatOf = (file: string, options: ImportOptions): Format => {
  const type = typeIn(options);
  if (kindOf(file, options) === 'ndjson') {
    const alien = ['delimiter', 'types', 'map'].filter((name) => name in options);
    if (alien.length > 0) throw wrong(`--${alien[0]} is for CSV; this is read as NDJSON.`);
    return { type };
  }
  if (type === 'user')
    throw wrong('exported users are NDJSON; --type of CSV is attributes, event or purchase.');
  const { map = {}, types = false } = options;
  return { csv: { type: type ?? 'attributes', map, types, delimiter: delimiterOf(file, options) } };
};

/** The settings that must be the same when an import continues. */
const settingsOf = (format: Format, { batchSize, run = '' }: ImportOptions): Record<string, string> => {
  const shared = { 'batch-size': String(batchSize), run };
  if (!format.csv) return { format: 'ndjson', type: format.type ?? 'by each line', ...shared };
  const { type, map, types, delimiter } = format.csv;
  return { format: 'csv', type, map: JSON.stringify(map), types: String(types), delimiter, ...shared };
};

const refusedPathOf = (file: string, { refused }: ImportOptions): string => {
  const path = refused ?? `${file === '-' ? 'standard-input' : file}.refused.ndjson`;
  if (path === file) throw wrong('--refused must not be the file itself.');
  return path;
};

/** The command without the options for the first run only: it continues by itself. The key does not belong on a screen. */
const goOnOf = (args: readonly string[]): string => {
  const shown = args.filter((arg, i) => arg !== '--restart' && arg !== '--key' && args[i - 1] !== '--key');
  return ['roster', ...shown.map(quoted)].join(' ').replace(/ --key=\S+/, '');
};

const planOf = (io: Io, file: string, options: ImportOptions, args: readonly string[]): ImportPlan => {
  const { batchSize, concurrency, giveUpAfter, restart = false, run, wait = false } = options;
  const format = formatOf(file, options);
  return {
    ...{ file, format, batchSize, concurrency, restart, run, wait },
    settings: settingsOf(format, options),
    giveUpAfterMs: giveUpAfter * 1000,
    refusedPath: refusedPathOf(file, options),
    target: targetOf(io, options),
    goOn: goOnOf(args),
  };
};

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
    .option('--restart', 'begin anew, whatever was imported before')
    .option('--refused <file>', 'where refused rows go (default: <file>.refused.ndjson)')
    .option('--run <name>', 'a part of the idempotency keys: under another name the same rows count again')
    .option('--wait', 'wait until everything is applied (needs users.export.ids too)')
    .addHelpText('after', importHelp)
    .action(
      act(({ io }, file: string, options: ImportOptions) => {
        const plan = planOf(io, file, options, program.args);
        const terminal = terminalOf(io);
        return interruptible(io, (stop) => runImport(plan, { stdin: process.stdin, terminal, stop }));
      }),
    );
};

/** From the flags of `roster import` to its plan. */
import { existsSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import type { Io } from '../io.ts';
import { wrong } from '../result.ts';
import { quoted } from '../shown.ts';
import type { ValueType } from './cell-values.ts';
import type { LineType } from './entry-kind.ts';
import { checkName } from './file-kind.ts';
import { refusedRowsPathOf } from './refused-rows.ts';
import type { Format } from './source.ts';
import { obstacleOf, readState, type SavedState, statePathOf } from './state-file.ts';
import { keyIdOf, targetOf } from './target.ts';

export interface ImportOptions {
  url?: string;
  key?: string;
  format?: 'ndjson' | 'csv';
  type?: LineType;
  map?: Record<string, string>;
  types?: true | Record<string, ValueType>;
  app?: Record<string, string>;
  delimiter?: string;
  batchSize: number;
  concurrency: number;
  giveUpAfter: number;
  restart?: boolean;
  refused?: string;
  run?: string;
  wait?: boolean;
  dryRun?: boolean;
}

const formats: Readonly<Record<string, 'ndjson' | 'csv'>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'ndjson',
};

const kindOf = (file: string, { format }: ImportOptions): 'ndjson' | 'csv' => {
  checkName(file);
  const known = format ?? (file === '-' ? 'ndjson' : formats[extname(file).toLowerCase()]);
  if (!known) throw wrong(`is ${file} NDJSON or CSV? Say --format ndjson or --format csv.`);
  return known;
};

const delimiterOf = (file: string, { delimiter }: ImportOptions): string =>
  delimiter ?? (extname(file).toLowerCase() === '.tsv' ? '\t' : ',');

export const formatOf = (file: string, options: ImportOptions): Format => {
  const { type, map = {}, types } = options;
  if (kindOf(file, options) === 'ndjson') {
    const alien = ['delimiter', 'types', 'map'].filter((name) => name in options);
    if (alien.length > 0) throw wrong(`--${alien[0]} is for CSV; this is read as NDJSON.`);
    return { type, apps: options.app };
  }
  if (options.app) throw wrong('--app is for exported users, which are NDJSON; this is read as CSV.');
  if (type === 'user')
    throw wrong('exported users are NDJSON; --type of CSV is attributes, event or purchase.');
  const typed = types === true ? {} : types;
  const csv = { type, map, types: types === true, ...(typed && { typed }) };
  return { csv: { ...csv, delimiter: delimiterOf(file, options) } };
};

/** The settings that shape the requests, in words: an import that continues must use the same. */
const settingsOf = (format: Format, { batchSize, run = '' }: ImportOptions): Record<string, string> => {
  const shared = { 'batch-size': String(batchSize), run };
  if (!format.csv) {
    const apps = format.apps && { app: JSON.stringify(format.apps) };
    return { format: 'ndjson', type: format.type ?? 'by each line', ...apps, ...shared };
  }
  const { type, map, types, typed = {}, delimiter } = format.csv;
  const said = Object.keys(typed).length > 0 ? JSON.stringify(typed) : String(types);
  return {
    format: 'csv',
    type: type ?? 'by the columns',
    map: JSON.stringify(map),
    types: said,
    delimiter,
    ...shared,
  };
};

const refusedPathOf = (file: string, { refused }: ImportOptions): string => {
  const path = refused ?? `${file === '-' ? 'standard-input' : file}.refused.ndjson`;
  if (path === file) throw wrong('--refused must not be the file itself.');
  return path;
};

interface Lists {
  /** Of CSV: the refused rows as they stand in the file. */
  refusedRowsPath?: string;
  /** Of NDJSON: what was left out of exported users. */
  leftOutPath?: string;
}

/** Beside the list of refusals, unless that is a device such as /dev/null. */
const listsBeside = (refusedPath: string, file: string, { csv }: Format): Lists => {
  if (existsSync(refusedPath) && !statSync(refusedPath).isFile()) return {};
  const leftOutPath = `${refusedPath.replace(/(\.refused)?\.ndjson$/, '')}.left-out.ndjson`;
  return csv ? { refusedRowsPath: refusedRowsPathOf(refusedPath, file) } : { leftOutPath };
};

/** The command without the options for the first run only: it continues by itself. The key does not belong on a screen. */
const goOnOf = (args: readonly string[]): string => {
  const shown = args.filter((arg, i) => arg !== '--restart' && arg !== '--key' && args[i - 1] !== '--key');
  return ['roster', ...shown.map(quoted)].join(' ').replace(/ --key=\S+/, '');
};

export const planOf = (io: Io, file: string, options: ImportOptions, args: readonly string[]) => {
  const { batchSize, concurrency, giveUpAfter, restart = false, run, wait = false } = options;
  const format = formatOf(file, options);
  const refusedPath = refusedPathOf(file, options);
  return {
    /** `-` is standard input: read once, and without a place to continue from. */
    file,
    ...{ format, batchSize, concurrency, restart, run, wait },
    settings: settingsOf(format, options),
    giveUpAfterMs: giveUpAfter * 1000,
    refusedPath,
    ...listsBeside(refusedPath, file, format),
    target: targetOf(io, options),
    /** The command that continues, for the person to copy. */
    goOn: goOnOf(args),
  };
};

export type ImportPlan = ReturnType<typeof planOf>;

export const isStdin = ({ file }: Pick<ImportPlan, 'file'>): boolean => file === '-';

export const sizeOf = (plan: ImportPlan): number | undefined => {
  if (isStdin(plan)) return undefined;
  if (!existsSync(plan.file)) throw wrong(`there is no file ${plan.file}.`);
  const found = statSync(plan.file);
  if (!found.isFile()) throw wrong(`${plan.file} is no file. Pipe it in: roster import - < ${plan.file}`);
  return found.size;
};

/** The place to continue from, if the import was begun before. */
export const stateOf = (plan: ImportPlan): SavedState | undefined => {
  const { file, restart, target, settings } = plan;
  if (isStdin(plan) || restart) return undefined;
  const state = readState(statePathOf(file));
  const obstacle = state && obstacleOf(state, { file, key: keyIdOf(target.key), settings });
  if (obstacle) throw wrong(obstacle);
  return state;
};

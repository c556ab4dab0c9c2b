/** From the options of `roster import` to its plan. */
import type { ImportPlan } from '../import/import-plan.ts';
import type { Format } from '../import/source-options.ts';
import { targetOf } from '../import/target.ts';
import type { Io } from '../io.ts';
import { wrong } from '../result.ts';
import { quoted } from '../shown.ts';
import { formatOf, type ImportOptions } from './import-format.ts';

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

export const planOf = (io: Io, file: string, options: ImportOptions, args: readonly string[]): ImportPlan => {
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

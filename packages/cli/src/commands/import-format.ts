/** The format of a file, from the options of `roster import`. */
import { extname } from 'node:path';
import { isLineType, type LineType } from '../import/line-type.ts';
import type { Format } from '../import/source-options.ts';
import { wrong } from '../result.ts';

export interface ImportOptions {
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

export const formatOf = (file: string, options: ImportOptions): Format => {
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

/** The refused rows of CSV as they stand in their file, below its header: `people.csv.refused.csv`. To be corrected and imported. */
import { extname } from 'node:path';
import type { RawRow, Refusal } from './batches.ts';
import { createKeptList } from './kept-list.ts';

/** Beside the list of refusals; a name that the person gave keeps its ending, so that no other file of theirs is meant. */
export const refusedRowsPathOf = (refusedPath: string, file: string): string => {
  const ending = extname(file).toLowerCase() === '.tsv' ? '.tsv' : '.csv';
  return `${refusedPath.replace(/\.refused\.ndjson$/, '.refused')}${ending}`;
};

export const createRefusedRows = (path: string, bytes: number) => {
  const list = createKeptList(path, bytes);
  let header: Buffer = Buffer.alloc(0);
  return {
    begin(raw: Buffer): void {
      header = raw;
    },
    add(refusals: readonly Refusal[], raws: readonly RawRow[]): void {
      const lines = new Set(refusals.map(({ line }) => line));
      const rows = raws.filter(({ line }) => lines.has(line)).map(({ raw }) => raw);
      if (rows.length > 0) list.add(...(list.isEmpty() ? [header] : []), ...rows);
    },
    write: list.write,
  };
};

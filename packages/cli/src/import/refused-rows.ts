/** The refused rows of CSV as they stand in their file, below its header: `people.csv.refused.csv`. To be corrected and imported. */
import { appendFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { RawRow, Refusal } from './batches.ts';
import { cutBack } from './cut-back.ts';

/** Beside the list of refusals; a name that the person gave keeps its ending, so that no other file of theirs is meant. */
export const refusedRowsPathOf = (refusedPath: string, file: string): string => {
  const ending = extname(file).toLowerCase() === '.tsv' ? '.tsv' : '.csv';
  return `${refusedPath.replace(/\.refused\.ndjson$/, '.refused')}${ending}`;
};

/** Without a path there are none. */
export const createRefusedRows = (path: string | undefined, bytes: number) => {
  let written = path === undefined ? 0 : cutBack(path, bytes);
  let header: Buffer = Buffer.alloc(0);
  let unwritten: Buffer[] = [];
  return {
    begin(raw: Buffer): void {
      header = raw;
    },
    add(refusals: readonly Refusal[], raws: readonly RawRow[]): void {
      const lines = new Set(refusals.map(({ line }) => line));
      unwritten.push(...raws.filter(({ line }) => lines.has(line)).map(({ raw }) => raw));
    },
    /** Returns the length of the file. */
    write(): number {
      const rows = Buffer.concat(unwritten);
      unwritten = [];
      if (rows.length === 0 || path === undefined) return written;
      const all = written === 0 ? Buffer.concat([header, rows]) : rows;
      appendFileSync(path, all, { mode: 0o600, flush: true });
      written += all.length;
      return written;
    },
  };
};

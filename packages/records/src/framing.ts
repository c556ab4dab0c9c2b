/** Cuts a stream of bytes into records: lines, or rows of CSV. Every byte belongs to one of them. Holds one record at a time. */
import { createCsvRows } from './csv-rows.ts';
import { type Cut, createLines, newline, type RecordFault, withoutBreak } from './lines.ts';

export interface RawRecord {
  /** Without its line break. */
  bytes: Buffer;
  /** As it stands in the file. */
  raw: Buffer;
  fault?: RecordFault;
  /** Where it begins, and where the next one does. */
  start: number;
  end: number;
  /** The line on which it begins (the first is 1), and on which the next one does. */
  line: number;
  nextLine: number;
}

export interface FramingOptions {
  /** A delimiter makes it CSV (RFC 4180): a quote at the beginning of a cell hides line breaks until it is closed. */
  delimiter?: string;
  /** The cells of a row. The first row tells it, if it is among the bytes. */
  cells?: number | undefined;
  longest?: number;
  /** The first byte and line of the pushed bytes. */
  start?: number;
  line?: number;
}

/** More than any request can hold. */
export const longestRecord = 6 * 1024 * 1024;

const newlinesIn = (bytes: Buffer): number => {
  let count = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count++;
  return count;
};

export const createFraming = (options: FramingOptions = {}) => {
  const { delimiter, longest = longestRecord, cells } = options;
  const cutter =
    delimiter === undefined ? createLines(longest) : createCsvRows({ delimiter, longest, cells });
  let { start = 0, line = 1 } = options;
  let pending: Buffer = Buffer.alloc(0);

  const recordOf = ({ end: length, fault }: Cut): RawRecord => {
    const raw = pending.subarray(0, length);
    const [end, nextLine] = [start + length, line + newlinesIn(raw)];
    const record = { bytes: withoutBreak(raw), raw, start, end, line, nextLine, ...(fault && { fault }) };
    [pending, start, line] = [pending.subarray(length), end, nextLine];
    return record;
  };
  function* records(isEnd: boolean): Generator<RawRecord> {
    while (pending.length > 0) {
      const cut = cutter.cut(pending, isEnd);
      if (!cut) return;
      yield recordOf(cut);
    }
  }
  return {
    push(chunk: Buffer): Generator<RawRecord> {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      return records(false);
    },
    end: (): Generator<RawRecord> => records(true),
  };
};

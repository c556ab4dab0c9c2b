/** Cuts a stream of bytes into records: lines, or rows of CSV whose quoted cells may hold line breaks. Holds one record at a time. */

export interface RawRecord {
  /** Without its line break; missing when it was too long to keep. */
  bytes: Buffer;
  isTooLong: boolean;
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
  longest?: number;
  /** The first byte and line of the pushed bytes. */
  start?: number;
  line?: number;
}

/** More than any request can hold. */
export const longestRecord = 6 * 1024 * 1024;

const newline = 0x0a;
const carriageReturn = 0x0d;
const quote = 0x22;

/** Finds the line breaks that end a record, over the borders of chunks. */
type Scan = (chunk: Buffer, from: number) => number;

const lineScan: Scan = (chunk, from) => chunk.indexOf(newline, from);

/** `open`: within quotes; `closing`: a quote within quotes, which is the end unless another one follows. */
type Place = 'cell start' | 'plain' | 'open' | 'closing';

const csvScan = (delimiter: number): Scan => {
  let place: Place = 'cell start';
  const after = (byte: number): Place => {
    if (place === 'open') return byte === quote ? 'closing' : 'open';
    if (byte === delimiter || byte === newline) return 'cell start';
    if (byte !== quote) return 'plain';
    return place === 'plain' ? 'plain' : 'open';
  };
  return (chunk, from) => {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      const ends = byte === newline && place !== 'open';
      place = after(byte);
      if (ends) return at;
    }
    return -1;
  };
};

const newlinesIn = (chunk: Buffer): number => {
  let count = 0;
  for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) count++;
  return count;
};

const withoutBreak = (bytes: Buffer): Buffer => {
  let end = bytes.length;
  if (bytes[end - 1] === newline) end--;
  if (bytes[end - 1] === carriageReturn) end--;
  return bytes.subarray(0, end);
};

export const createFraming = (options: FramingOptions = {}) => {
  const { delimiter, longest = longestRecord } = options;
  const scan = delimiter === undefined ? lineScan : csvScan(delimiter.charCodeAt(0));
  let { start = 0, line = 1 } = options;
  let pieces: Buffer[] = [];
  let size = 0;
  let breaks = 0;

  const keep = (piece: Buffer): void => {
    size += piece.length;
    breaks += newlinesIn(piece);
    if (size <= longest) pieces.push(piece);
    else pieces = [];
  };
  const take = (): RawRecord => {
    const bytes = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
    const [end, nextLine] = [start + size, line + breaks];
    const record = { bytes: withoutBreak(bytes), isTooLong: size > longest, start, end, line, nextLine };
    [start, line] = [end, nextLine];
    [pieces, size, breaks] = [[], 0, 0];
    return record;
  };
  return {
    *push(chunk: Buffer): Generator<RawRecord> {
      let from = 0;
      for (let at = scan(chunk, from); at >= 0; at = scan(chunk, from)) {
        keep(chunk.subarray(from, at + 1));
        from = at + 1;
        yield take();
      }
      if (from < chunk.length) keep(chunk.subarray(from));
    },
    *end(): Generator<RawRecord> {
      if (size > 0) yield take();
    },
  };
};

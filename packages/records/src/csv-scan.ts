/** Finds the end of a row of CSV (RFC 4180), over the borders of chunks. */

const newline = 0x0a;
const carriageReturn = 0x0d;
const quote = 0x22;

/**
 * `open`: within quotes; `closing`: a quote within quotes, which is the end unless another one follows; `returned`: a carriage
 * return follows it; `broken`: text does.
 */
type Place = 'cell start' | 'plain' | 'open' | 'closing' | 'returned' | 'broken';

export interface CsvScan {
  /** The position of the line break that ends the row, -1 without any. */
  end(bytes: Buffer, from: number, cellsMax: number): number;
  /** Whether the quotes of the row are wrong so far. */
  isBroken(): boolean;
  /** For the next row. */
  restart(): void;
}

/** A row with a wrong quote, or over several lines with too many cells, ends at the next line break. */
export const createCsvScan = (delimiter: number): CsvScan => {
  let place: Place = 'cell start';
  let cells = 1;

  const after = (byte: number): Place => {
    if (place === 'broken' || place === 'returned') return 'broken';
    if (place === 'open') return byte === quote ? 'closing' : 'open';
    if (byte === delimiter) return 'cell start';
    if (byte === quote) return place === 'plain' ? 'plain' : 'open';
    if (place !== 'closing') return 'plain';
    return byte === carriageReturn ? 'returned' : 'broken';
  };
  return {
    end(bytes, from, cellsMax) {
      for (let at = from; at < bytes.length; at++) {
        const byte = bytes[at] ?? 0;
        if (byte === newline && (place !== 'open' || cells > cellsMax)) return at;
        place = after(byte);
        if (place === 'cell start') cells++;
      }
      return -1;
    },
    isBroken: () => place === 'broken',
    restart() {
      place = 'cell start';
      cells = 1;
    },
  };
};

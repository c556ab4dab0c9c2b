/** Where a line ends, or the part of it that may be held. */

/**
 * `long`: the first bytes of a record that is too long to hold; `rest`: the next bytes of the record before. `quotes`: a row with a
 * wrong quote, and the lines up to the next row. `rows`: a row with a quoted cell whose lines look like rows.
 */
export type RecordFault = 'long' | 'rest' | 'quotes' | 'rows';

/** The end of the record at the beginning of some bytes. */
export interface Cut {
  end: number;
  fault?: RecordFault;
}

export interface Cutter {
  /** `bytes` begin with a record. `undefined`: more of them are needed. */
  cut(bytes: Buffer, isEnd: boolean): Cut | undefined;
}

export const newline = 0x0a;
const carriageReturn = 0x0d;

export const withoutBreak = (bytes: Buffer): Buffer => {
  let end = bytes.length;
  if (bytes[end - 1] === newline) end--;
  if (bytes[end - 1] === carriageReturn) end--;
  return bytes.subarray(0, end);
};

export const createLines = (longest: number): Cutter => {
  let scanned = 0;
  let isRest = false;
  const found = (end: number, goesOn: boolean): Cut => {
    const fault = isRest ? 'rest' : goesOn && 'long';
    [scanned, isRest] = [0, goesOn];
    return { end, ...(fault && { fault }) };
  };
  return {
    cut(bytes, isEnd) {
      const at = bytes.indexOf(newline, scanned);
      const end = at < 0 ? bytes.length : at + 1;
      if (end > longest) return found(longest, true);
      scanned = bytes.length;
      return at >= 0 || isEnd ? found(end, false) : undefined;
    },
  };
};

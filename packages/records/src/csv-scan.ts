/** Finds the end of a record: of a line, or of a row of CSV whose quoted cells may hold line breaks. */

export const newline = 0x0a;

const quote = 0x22;

/** Finds the line breaks that end a record, over the borders of chunks. */
type Scan = (chunk: Buffer, from: number) => number;

export const lineScan: Scan = (chunk, from) => chunk.indexOf(newline, from);

/** `open`: within quotes; `closing`: a quote within quotes, which is the end unless another one follows. */
type Place = 'cell start' | 'plain' | 'open' | 'closing';

export const csvScan = (delimiter: number): Scan => {
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

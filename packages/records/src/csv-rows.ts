/** Where a row of CSV ends. A row with a wrong quote ends where a line begins a row with the cells of the header again. */
import { createCsvScan } from './csv-scan.ts';
import { type Cut, type Cutter, createLines, newline, withoutBreak } from './lines.ts';
import { createRowShape } from './row-shape.ts';

interface CsvRowsOptions {
  delimiter: string;
  longest: number;
  cells?: number | undefined;
}

/** The bytes read again, as a multiple of the bytes read: beyond that, no row goes on over a line break. */
const rereadsMax = 16;

/** The place in the bytes, which begin with a record. */
const createPlace = (delimiter: string) => {
  const scan = createCsvScan(delimiter.charCodeAt(0));
  let [from, scanned, consumed, reread] = [0, 0, 0, 0];
  const goTo = (place: number): void => {
    [from, scanned] = [place, place];
    scan.restart();
  };
  return {
    /** Where the row that is looked at begins: behind lines that belong to a row with a wrong quote. */
    from: () => from,
    isBroken: scan.isBroken,
    /** The end of that row, and whether its line break is there. */
    next(bytes: Buffer, cellsMax: number, longest: number): { end: number; isEnded: boolean } {
      const mayRunOn = reread <= rereadsMax * (consumed + longest);
      const at = scan.end(bytes, scanned, mayRunOn ? cellsMax : 0);
      scanned = bytes.length;
      return { end: at < 0 ? bytes.length : at + 1, isEnded: at >= 0 };
    },
    cut(end: number): void {
      consumed += end;
      goTo(0);
    },
    /** Only the first line of the row from `from` to `end` belongs to it. */
    pass(end: number, lineEnd: number): void {
      reread += end - lineEnd;
      goTo(lineEnd);
    },
  };
};

export const createCsvRows = ({ delimiter, longest, cells }: CsvRowsOptions): Cutter => {
  const place = createPlace(delimiter);
  const shape = createRowShape(delimiter, cells);
  const lines = createLines(longest);
  let isInLong = false;
  /** The part before was cut off because it was full. */
  let isInWrong = false;

  const cutAt = (end: number, fault?: Cut['fault']): Cut => {
    place.cut(end);
    return { end, ...(fault && { fault }) };
  };
  const wrongUntil = (end: number, goesOn = false): Cut => {
    const fault = isInWrong ? 'rest' : 'quotes';
    isInWrong = goesOn;
    return cutAt(end, fault);
  };
  const pass = (end: number, lineEnd: number): Cut | undefined => {
    place.pass(end, lineEnd);
    return lineEnd > longest ? wrongUntil(lineEnd, true) : undefined;
  };
  const longLine = (bytes: Buffer, isEnd: boolean): Cut | undefined => {
    const cut = lines.cut(bytes, isEnd);
    if (!cut) return undefined;
    isInLong = bytes[cut.end - 1] !== newline;
    return cutAt(cut.end, cut.fault);
  };
  const isAfterWrong = (): boolean => place.from() > 0 || isInWrong;
  /** The lines before the row that is looked at; without any, there is nothing more to cut off. */
  const endWrong = (): Cut | undefined => {
    if (place.from() > 0) return wrongUntil(place.from());
    isInWrong = false;
    return undefined;
  };
  /** The row that ends there. `undefined`: it belongs to a wrong row, and what follows is looked at. */
  const judged = (bytes: Buffer, end: number): Cut | undefined => {
    const lineEnd = bytes.indexOf(newline, place.from()) + 1 || end;
    const isLine = lineEnd === end;
    if (shape.isKnown() && isLine && !isAfterWrong()) return place.isBroken() ? pass(end, end) : cutAt(end);
    const text = withoutBreak(bytes.subarray(place.from(), end)).toString('latin1');
    if (isAfterWrong()) {
      if (!shape.isRowAgain(text)) return pass(end, lineEnd);
      return endWrong() ?? cutAt(end);
    }
    if (!shape.isKnown()) shape.learn(text);
    else if (!shape.isQuotedRight(text)) return pass(end, lineEnd);
    return cutAt(end, isLine || !shape.looksLikeRows(text) ? undefined : 'rows');
  };
  const next = (bytes: Buffer, isEnd: boolean): Cut | 'more' | undefined => {
    const { end, isEnded } = place.next(bytes, shape.cells(), longest);
    const from = place.from();
    if (end - from <= longest) return isEnded || isEnd ? judged(bytes, end) : 'more';
    const lineEnd = bytes.indexOf(newline, from) + 1;
    if (lineEnd > 0 && lineEnd - from <= longest) return pass(end, lineEnd);
    return endWrong() ?? longLine(bytes, isEnd);
  };
  return {
    cut(bytes, isEnd) {
      if (isInLong) return longLine(bytes, isEnd);
      for (;;) {
        if (place.from() === bytes.length) return isEnd ? wrongUntil(bytes.length) : undefined;
        const cut = next(bytes, isEnd);
        if (cut) return cut === 'more' ? undefined : cut;
      }
    },
  };
};

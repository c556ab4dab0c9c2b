/** What a row of a file of CSV looks like, as its header tells. */
import { cellsOf } from './csv-cells.ts';

/** Fewer lines of a quoted cell may have as many commas as a row by chance. */
const fewestRows = 4;

const escaped = (character: string): string => character.replace(/[^\w\t]/, '\\$&');

/** Text such as "Smith, Ada" is no row, unless the header is written like that. */
const isInset = (cell: string): boolean => cell.startsWith(' ');

/** `cells`: of a row; without it the first row tells. */
export const createRowShape = (delimiter: string, cells?: number) => {
  let wanted = cells;
  let isSpaced = false;
  const separator = escaped(delimiter);
  const quotedCells = new RegExp(`(^|${separator})"(?:[^"]|"")*"(?=${separator}|$)`, 'g');
  const hasRowCells = (found: readonly string[]): boolean =>
    found.length === wanted && (isSpaced || !found.some(isInset));
  return {
    isKnown: () => wanted !== undefined,
    cells: () => wanted ?? Number.POSITIVE_INFINITY,
    learn(text: string): void {
      const found = text === '' ? undefined : cellsOf(text, delimiter);
      wanted = found?.length;
      isSpaced = found?.some(isInset) ?? false;
    },
    isQuotedRight: (text: string): boolean => cellsOf(text, delimiter) !== undefined,
    /** Behind a wrong quote: a quote in a cell that begins without one may end what it left open. */
    isRowAgain(text: string): boolean {
      const found = text === '' ? undefined : cellsOf(text, delimiter);
      return found !== undefined && hasRowCells(found) && !text.replace(quotedCells, '').includes('"');
    },
    /** A quoted cell whose lines are rows: two quotes are missing. */
    looksLikeRows(text: string): boolean {
      const lines = text.split('\n').map((line) => line.split(delimiter));
      return wanted !== 1 && lines.length >= fewestRows && lines.every(hasRowCells);
    },
  };
};

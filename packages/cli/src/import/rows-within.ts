/**
 * A quoted cell over several lines may have swallowed rows: of two stray quotes some lines apart, each looks like the end of the other.
 * Its lines are compared with the rows of the file.
 */

/** `rows`: a line of the cell looks like the line before it, cell by cell; `perhaps`: it has as many cells, and little tells against it. */
export type Within = 'rows' | 'perhaps';

/** After as many cells of a column, a line that looks otherwise is no row. */
const rowsToKnow = 100;
const rowsLearned = 1_000;
/** In a row of two cells, a line such as `10115,Berlin` is too common. */
const fewestCells = 3;
const longestSeen = 64;

/** `@` for an email; else with `9` for each word with a digit, and `a` for other words. */
const formOf = (cell: string): string =>
  /^\S+@\S+$/.test(cell)
    ? '@'
    : cell.slice(0, longestSeen).replace(/[\p{L}\p{N}]+/gu, (word) => (/\p{N}/u.test(word) ? '9' : 'a'));

const isTelling = (form: string): boolean => /[9@]/.test(form);

const isInset = (cell: string): boolean => cell.startsWith(' ');

interface Seen {
  /** Cells with anything in them. */
  count: number;
  telling: number;
  inset: number;
}

/** The lines of a row, as if its quoted cells with line breaks had no quotes. */
const linesIn = (cells: readonly string[], delimiter: string): string[][] => {
  let line: string[] = [];
  const lines = [line];
  for (const cell of cells) {
    const [first = '', ...others] = cell.split('\n');
    line.push(...(others.length > 0 ? first.split(delimiter) : [first]));
    for (const other of others) {
      line = other.split(delimiter);
      lines.push(line);
    }
  }
  return lines;
};

const see = (seen: Seen, cell: string): void => {
  if (cell === '') return;
  seen.count += 1;
  if (isInset(cell)) seen.inset += 1;
  if (isTelling(formOf(cell))) seen.telling += 1;
};

const isBegun = (cell: string | undefined): cell is string => cell !== undefined && cell !== '';

/** Two lines of one row, cell by cell: nothing else is asked, so that a file that is read again is judged the same. */
const isLike = (line: readonly string[], first: readonly string[]): boolean => {
  if (line.length < fewestCells || line.length !== first.length) return false;
  const pairs = line.flatMap((cell, at): [string, string][] => {
    const before = first[at];
    return isBegun(cell) && isBegun(before) ? [[cell, before]] : [];
  });
  const forms = pairs.map((pair) => pair.map(formOf));
  return (
    forms.some(([one = '', before]) => isTelling(one) && one === before) &&
    forms.every(([one = '', before = '']) => isTelling(one) || !isTelling(before)) &&
    pairs.every(([cell, before]) => !isInset(cell) || isInset(before))
  );
};

export const createRowsWithin = (columns: number, delimiter: string) => {
  const seen = Array.from({ length: columns }, (): Seen => ({ count: 0, telling: 0, inset: 0 }));

  /** Its cells are not as those of the file: there is no number or email where each row has one, or a space before a word. */
  const isOther = (line: readonly string[]): boolean =>
    seen.some(({ count, telling, inset }, at) => {
      const cell = line[at] ?? '';
      if (cell === '' || count < rowsToKnow) return false;
      return (telling === count && !isTelling(formOf(cell))) || (inset === 0 && isInset(cell));
    });
  return {
    /** Of a row that could be read. */
    see(cells: readonly string[]): Within | undefined {
      if (!cells.some((cell) => cell.includes('\n'))) {
        for (const [at, one] of seen.entries()) if (one.count < rowsLearned) see(one, cells[at] ?? '');
        return undefined;
      }
      const [first = [], ...others] = linesIn(cells, delimiter);
      const rows = others.filter((line) => line.length === columns);
      if (rows.some((line) => isLike(line, first))) return 'rows';
      return rows.every(isOther) ? undefined : 'perhaps';
    },
  };
};

export type RowsWithin = ReturnType<typeof createRowsWithin>;

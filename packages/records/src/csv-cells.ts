/** The cells of a record of CSV (RFC 4180). */

/** The position of the quote that closes a cell; a doubled one does not. -1 without any. */
const closingQuote = (text: string, from: number): number => {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
};

/** A cell, and the position of the delimiter behind it. */
const cellAt = (text: string, from: number, delimiter: string): { cell: string; end: number } => {
  if (text[from] === '"') {
    const end = closingQuote(text, from + 1);
    return { cell: text.slice(from + 1, end).replaceAll('""', '"'), end: end < 0 ? -1 : end + 1 };
  }
  const end = text.indexOf(delimiter, from);
  return { cell: text.slice(from, end < 0 ? undefined : end), end: end < 0 ? text.length : end };
};

/** The cells of one record; `undefined` when a quote is not closed, or followed by more text. */
export const cellsOf = (text: string, delimiter = ','): string[] | undefined => {
  const cells: string[] = [];
  for (let from = 0; from <= text.length; ) {
    const { cell, end } = cellAt(text, from, delimiter);
    const isEnded = end === text.length || text[end] === delimiter;
    if (end < 0 || !isEnded) return undefined;
    cells.push(cell);
    from = end + 1;
  }
  return cells;
};

/** CSV (RFC 4180) with a header. Cells are texts; an empty one is null, in quotes or not. */
import { cellsOf } from '@roster/records';
import { bounds } from '../bounds.ts';
import type { Cell, Row } from '../source.ts';
import { emptyRowOf } from './cells.ts';
import type { Format, ReadFile, Reading } from './reading.ts';
import { type FileRecord, recordsOf } from './records.ts';

const wrongQuotes = 'has a quote that is not closed, or something follows it';

interface Header {
  readonly names: readonly string[];
  readonly empty: Row;
}

/** What is wrong with a header concerns its file as a whole. */
const headerIn = (text: string | undefined): Header | { problem: string } => {
  const names = text === undefined ? undefined : cellsOf(text)?.map((name) => name.trim());
  if (!names) return { problem: 'has no header: its first line must name the columns' };
  if (names.length > bounds.columns)
    return { problem: `has ${names.length} columns, and a table may have ${bounds.columns}` };
  const doubled = names.find((name, at) => names.indexOf(name) < at);
  if (doubled === undefined) return { names, empty: emptyRowOf(names) };
  return { problem: `has more than one column "${doubled}"` };
};

const rowIn = ({ text, place, bytes, problem }: FileRecord, { names, empty }: Header): Reading => {
  if (text === undefined) return { place, bytes, problem };
  const cells = cellsOf(text);
  if (!cells) return { place, bytes, problem: wrongQuotes };
  if (cells.length !== names.length)
    return { place, bytes, problem: `has ${cells.length} cells, and the header has ${names.length}` };
  const row: Record<string, Cell> = { ...empty };
  for (const [at, name] of names.entries()) row[name] = cells[at] || null;
  return { place, bytes, row };
};

async function* read(options: ReadFile): AsyncGenerator<readonly Reading[], void, undefined> {
  let header: Header | undefined;
  for await (const records of recordsOf(options, ',')) {
    if (!header) {
      const found = headerIn(records.shift()?.text);
      if ('problem' in found) {
        yield [{ place: options.file.name, bytes: 0, problem: found.problem }];
        return;
      }
      header = found;
    }
    const known = header;
    yield records.map((record) => rowIn(record, known));
  }
}

export const csv: Format = { endings: ['.csv'], read };

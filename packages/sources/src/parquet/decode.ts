/** The rows of a Parquet file, one row group after the other, some thousand rows at a time. */
import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadata,
  parquetRead,
  parquetSchema,
  type RowGroup,
} from 'hyparquet';
import { bounds } from '../bounds.ts';
import { emptyRowOf } from '../files/cells.ts';
import { type Packed, pack } from '../files/packed.ts';
import { compressors } from './compressors.ts';
import { isNeeded, loadGroup } from './groups.ts';
import { assertFits, parquetBounds, type ReadRows } from './questions.ts';
import { createPlain, parsers, sizeOf, sizeOfMember, takeDecimals } from './values.ts';

const tailBytes = 8;

const footerOf = async (file: AsyncBuffer): Promise<ArrayBuffer> => {
  if (file.byteLength < 2 * tailBytes) throw new Error('it is too short');
  const tail = new DataView(await file.slice(file.byteLength - tailBytes, file.byteLength));
  if (tail.getUint32(4, true) !== 0x31524150) throw new Error('it does not end with PAR1');
  const bytes = tail.getUint32(0, true);
  assertFits('the footer', bytes, parquetBounds.footerBytes);
  return file.slice(Math.max(0, file.byteLength - tailBytes - bytes), file.byteLength);
};

/** As many as take about the bytes of a slice. */
const rowsAtATime = ({ columns: chunks, num_rows }: RowGroup, columns: readonly string[] | undefined) => {
  const bytes = chunks
    .filter((chunk) => isNeeded(chunk, columns))
    .reduce((sum, { meta_data }) => sum + Number(meta_data?.total_uncompressed_size ?? 0), 0);
  const ofARow = Math.max(1, bytes / Math.max(1, Number(num_rows)));
  const { sliceBytes, sliceCells, sliceRows } = parquetBounds;
  const most = Math.max(sliceRows, Math.floor(sliceCells / (columns?.length ?? chunks.length)));
  return Math.max(1, Math.min(most, Math.floor(sliceBytes / ofARow)));
};

const namesIn = (metadata: FileMetaData, wanted: readonly string[] | undefined) => {
  const { children } = parquetSchema(metadata);
  if (children.length > bounds.columns)
    throw new Error(`it has ${children.length} columns, and a table may have ${bounds.columns}`);
  const lower = new Set(wanted?.map((name) => name.toLowerCase()));
  return children.filter(({ element }) => !wanted || lower.has(element.name.toLowerCase()));
};

/** What a column has in a row of the file. */
type Cells = (column: string, row: number) => unknown;

/** By columns, as they are decoded: rows would only be taken apart again. */
const readCells = async (options: Parameters<typeof parquetRead>[0]): Promise<Cells> => {
  const read = new Map<string, { first: number; pages: ArrayLike<unknown>[] }>();
  await parquetRead({
    ...options,
    onChunk({ columnName, columnData, rowStart }) {
      const column = read.get(columnName);
      if (column) column.pages.push(columnData);
      else read.set(columnName, { first: rowStart, pages: [columnData] });
    },
  });
  const columns = new Map(
    [...read].map(([name, { first, pages }]) => {
      const [page = [], ...more] = pages;
      return [name, { first, cells: more.length === 0 ? page : pages.flatMap((one) => Array.from(one)) }];
    }),
  );
  return (name, row) => {
    const column = columns.get(name);
    return column?.cells[row - column.first];
  };
};

export async function* decode(file: AsyncBuffer, wanted: readonly string[] | undefined, firstGroup: number) {
  const metadata = parquetMetadata(await footerOf(file), { parsers, geoparquet: false });
  const plain = createPlain(takeDecimals(metadata.schema));
  const nodes = namesIn(metadata, wanted);
  const columns = nodes.map(({ element }) => element.name);
  const emptyRow = emptyRowOf(columns);
  const sizeOfNone = sizeOf({});
  /** Those of `[from, to)`, counted from 0 in the file. */
  const rowsIn = (cells: Cells, from: number, to: number): ReadRows => {
    const [bytes, packed]: [number[], (Packed | undefined)[]] = [[], []];
    for (let at = from; at < to; at++) {
      const row = { ...emptyRow };
      let size = sizeOfNone;
      for (const node of nodes) {
        const { name } = node.element;
        const cell = plain(node, cells(name, at));
        row[name] = cell;
        size += sizeOfMember(name, cell);
      }
      bytes.push(size);
      packed.push(size > bounds.rowBytes ? undefined : pack(row));
    }
    return { first: from + 1, bytes, packed };
  };
  let before = 0;
  for (const [at, group] of metadata.row_groups.entries()) {
    const end = before + Number(group.num_rows);
    if (at < firstGroup) {
      before = end;
      continue;
    }
    const loaded = await loadGroup(file, group, columns);
    const step = rowsAtATime(group, columns);
    for (let rowStart = before; rowStart < end; rowStart += step) {
      const rowEnd = Math.min(end, rowStart + step);
      const options = { file: loaded, metadata, columns, rowStart, rowEnd, parsers, compressors };
      const cells = await readCells(options);
      for (let from = rowStart; from < rowEnd; from += parquetBounds.toldRows)
        yield { group: at, rows: rowsIn(cells, from, Math.min(rowEnd, from + parquetBounds.toldRows)) };
    }
    before = end;
  }
}

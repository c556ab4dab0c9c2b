/** One row group in memory, as it lies in the file: only the columns that are needed, and only after a look at their pages. */
import type { AsyncBuffer, ColumnChunk, RowGroup } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { assertFits, parquetBounds } from './questions.ts';

interface Chunk {
  readonly column: string;
  readonly from: number;
  readonly to: number;
}

interface Loaded extends Chunk {
  readonly buffer: ArrayBuffer;
}

const chunkOf = ({ meta_data }: ColumnChunk): Chunk => {
  if (!meta_data) throw new Error('a column has no metadata');
  const from = Number(meta_data.dictionary_page_offset || meta_data.data_page_offset);
  const column = meta_data.path_in_schema.join('.');
  return { column, from, to: from + Number(meta_data.total_compressed_size) };
};

/** Headers say how large a page becomes, and how many values it has: what they claim is judged before it is believed. */
const assertPages = ({ buffer, column }: Loaded): void => {
  const reader = { view: new DataView(buffer), offset: 0 };
  while (reader.offset < buffer.byteLength) {
    const header = parquetHeader(reader);
    const { uncompressed_page_size: bytes, compressed_page_size: stored } = header;
    const page = header.data_page_header ?? header.data_page_header_v2 ?? header.dictionary_page_header;
    if (!(stored >= 0 && stored <= buffer.byteLength - reader.offset)) throw new Error('a page has no end');
    assertFits('a page', bytes, parquetBounds.pageBytes);
    if (page && !(page.num_values >= 0 && page.num_values <= parquetBounds.pageValues))
      throw new Error(`a page has ${page.num_values} values, and may have ${parquetBounds.pageValues}`);
    // A prefix may be repeated without end.
    if (page?.encoding === 'DELTA_BYTE_ARRAY')
      throw new Error(`the column ${column} has the encoding DELTA_BYTE_ARRAY, which is not read`);
    reader.offset += stored;
  }
};

export const isNeeded = ({ meta_data }: ColumnChunk, columns: readonly string[] | undefined): boolean =>
  !columns || columns.includes(meta_data?.path_in_schema[0] ?? '');

/** Neighbours are asked for in one piece, with the bytes between them. */
const joined = (loaded: readonly Loaded[], from: number, to: number): ArrayBuffer => {
  if (!(to - from <= parquetBounds.groupBytes)) throw new Error('a column lies outside of its place');
  const whole = new Uint8Array(to - from);
  for (const { from: first, to: end, buffer } of loaded) {
    const [begins, ends] = [Math.max(first, from), Math.min(end, to)];
    if (begins < ends) whole.set(new Uint8Array(buffer, begins - first, ends - begins), begins - from);
  }
  return whole.buffer;
};

const advice =
  'write smaller row groups (row_group_size of pyarrow and Polars, ROW_GROUP_SIZE of DuckDB, parquet.block.size of Spark)';

/** A file that has just these bytes of the group. */
export const loadGroup = async (
  file: AsyncBuffer,
  { columns: chunks }: RowGroup,
  columns: readonly string[] | undefined,
): Promise<AsyncBuffer> => {
  const wanted = chunks.filter((chunk) => isNeeded(chunk, columns)).map(chunkOf);
  const bytes = wanted.reduce((sum, { from, to }) => sum + to - from, 0);
  assertFits('a row group', bytes, parquetBounds.groupBytes, advice);
  const loaded: Loaded[] = [];
  for (const chunk of wanted) {
    const one = { ...chunk, buffer: await file.slice(chunk.from, chunk.to) };
    assertPages(one);
    loaded.push(one);
  }
  return {
    byteLength: file.byteLength,
    slice(from, to = file.byteLength) {
      const found = loaded.find((chunk) => chunk.from === from && to === chunk.to);
      return found ? found.buffer : joined(loaded, from, to);
    },
  };
};

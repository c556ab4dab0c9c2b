/** Where the rows of an import come from, and in which form. */
import type { CsvOptions } from './csv-rows.ts';
import type { LineType } from './line-type.ts';
import type { Position } from './totals.ts';

/** `type`: the kind of every line of NDJSON. */
export type Format = { csv: CsvFormat } | { csv?: undefined; type?: LineType | undefined };

export interface SourceOptions {
  /** The bytes from `position` on. */
  bytes: AsyncIterable<Buffer>;
  position: Position;
  format: Format;
  /** The first record, when the bytes begin behind it. */
  header?: string | undefined;
}

export interface CsvFormat extends CsvOptions {
  delimiter: string;
}

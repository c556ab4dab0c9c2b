export {
  createReaders,
  inThisProcess,
  openApart,
  type ReadersOptions,
  type Sources,
} from './apart/open-apart.ts';
export { compareKeys, mostKeyCharacters } from './keys.ts';
export type { RowLog } from './log/log.ts';
export type { LogLine } from './log/writers.ts';
export type { SourceTable } from './settings.ts';
export type { Cell, Column, Cursor, PageRow, Row, Source } from './source.ts';
export { SourceError } from './source-error.ts';
export { assertTableName } from './sql/table-name.ts';

export { compareKeys, mostKeyCharacters } from './keys.ts';
export { openLog, type RowLog } from './log/log.ts';
export type { LogLine } from './log/writers.ts';
export { openSource, readColumns } from './open-source.ts';
export type { SourceTable } from './settings.ts';
export type { Cell, Column, Cursor, PageRow, Row, Source } from './source.ts';
export { SourceError } from './source-error.ts';

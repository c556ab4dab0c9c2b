export { openSource } from './open-source.ts';
export type { SourceSettings } from './settings.ts';
export type { Cell, Column, Cursor, PageRow, Row, Source } from './source.ts';
export { SourceError } from './source-error.ts';

export { cellsOf } from './csv-cells.ts';
export { createFraming, longestRecord, type RawRecord } from './framing.ts';

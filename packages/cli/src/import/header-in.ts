import { createReadStream } from 'node:fs';
import { type Format, type Header, headerOf } from './source.ts';

const position = { bytes: 0, line: 1 };

/** The first record of a file of CSV. */
export const headerIn = async (file: string, format: Format): Promise<Header | undefined> =>
  format.csv && headerOf({ bytes: createReadStream(file), position, format }, format.csv);

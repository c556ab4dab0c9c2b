/** The records of a file: lines, or rows of CSV; of one that is too long only its length is kept. */
import { isUtf8 } from 'node:buffer';
import { createFraming } from '@roster/records';
import { bounds } from '../bounds.ts';
import type { ReadFile, Reading } from './reading.ts';

export interface FileRecord extends Reading {
  /** Nothing when there is a problem. */
  readonly text: string | undefined;
}

/** Read at a time. */
const mostAtOnce = 500;

/** Decoded with the first line: it is no part of the first cell. */
const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

const decoded = (bytes: Buffer): { text: string | undefined; problem?: string } =>
  isUtf8(bytes) ? { text: withoutMark(bytes.toString('utf8')) } : { text: undefined, problem: 'is no UTF-8' };

export async function* recordsOf({ store, file, signal }: ReadFile, delimiter?: string) {
  const framing = createFraming({ longest: bounds.rowBytes, ...(delimiter && { delimiter }) });
  function* readable(records: ReturnType<typeof framing.push>) {
    let found: FileRecord[] = [];
    for (const { bytes, line, start, end, isTooLong } of records) {
      const place = `${file.name}, line ${line}`;
      const content = isTooLong ? { text: undefined } : decoded(bytes);
      if (content.text?.trim() !== '') found.push({ place, bytes: end - start, ...content });
      if (found.length < mostAtOnce) continue;
      yield found;
      found = [];
    }
    if (found.length > 0) yield found;
  }
  for await (const chunk of store.read(file, undefined, signal)) yield* readable(framing.push(chunk));
  yield* readable(framing.end());
}

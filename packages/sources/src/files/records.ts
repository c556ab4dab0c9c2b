/** The records of a file: lines, or rows of CSV; of one that is too long only its length is kept. */
import { isUtf8 } from 'node:buffer';
import { createFraming, type RawRecord } from '@roster/records';
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

const faults = {
  quotes: 'has a quote that is not closed, or something follows it',
  rows: 'has a cell whose lines look like rows: is a quote not closed?',
};

const decoded = (bytes: Buffer): { text: string | undefined; problem?: string } =>
  isUtf8(bytes) ? { text: withoutMark(bytes.toString('utf8')) } : { text: undefined, problem: 'is no UTF-8' };

const contentOf = ({ bytes, fault }: RawRecord): { text: string | undefined; problem?: string } => {
  if (fault === undefined || fault === 'rest') return decoded(bytes);
  return { text: undefined, ...(fault !== 'long' && { problem: faults[fault] }) };
};

/** A record that comes in pieces is one, with all their bytes. */
const createJoining = (name: string) => {
  let last: FileRecord | undefined;
  return (record?: RawRecord): FileRecord[] => {
    const bytes = record ? record.end - record.start : 0;
    if (last && record?.fault === 'rest') {
      last = { ...last, bytes: last.bytes + bytes };
      return [];
    }
    const ended = last;
    last = record && { place: `${name}, line ${record.line}`, bytes, ...contentOf(record) };
    return ended && ended.text?.trim() !== '' ? [ended] : [];
  };
};

export async function* recordsOf({ store, file, signal }: ReadFile, delimiter?: string) {
  const framing = createFraming({ longest: bounds.rowBytes, ...(delimiter && { delimiter }) });
  const joined = createJoining(file.name);
  function* readable(records: Iterable<RawRecord | undefined>) {
    let found: FileRecord[] = [];
    for (const record of records) {
      found.push(...joined(record));
      if (found.length < mostAtOnce) continue;
      yield found;
      found = [];
    }
    if (found.length > 0) yield found;
  }
  for await (const chunk of store.read(file, undefined, signal)) yield* readable(framing.push(chunk));
  yield* readable(framing.end());
  yield* readable([undefined]);
}

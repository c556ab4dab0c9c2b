/** Results of entries, packed for storing and unpacked for reading. */
import type { EntryResult } from '@roster/profile';
import type { RequestDocument } from '../shapes/documents.ts';

type Results = Record<string, EntryResult[]>;

/** `updated, updated, created` is stored as `updated*2, created`: in most requests all results are equal. */
export const packResults = (results: readonly string[]): string[] => {
  const packed: string[] = [];
  let count = 0;
  for (let index = 0; index < results.length; index++) {
    const result = results[index] ?? '';
    count += 1;
    if (results[index + 1] === result) continue;
    packed.push(count === 1 ? result : `${result}*${count}`);
    count = 0;
  }
  return packed;
};

const packedRun = /^(.*)\*(\d{1,5})$/s;

/** No result ends in `*` and digits: results are words and codes of Roster. */
export const unpackResults = (packed: readonly string[]): EntryResult[] =>
  packed.flatMap((run) => {
    const [, result = run, count = '1'] = packedRun.exec(run) ?? [];
    return Array.from({ length: Number(count) }, () => result as EntryResult);
  });

const mapValues = <From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

export const packAll = (entries: Record<string, readonly string[]>): Record<string, string[]> =>
  mapValues(entries, packResults);

/** An outcome as the services use it. */
export interface StoredOutcome {
  id: string;
  ws: string;
  op: string;
  at: number;
  applied: Date;
  state: 'applied' | 'failed';
  entries?: Results;
  reason?: string;
  notes?: NonNullable<RequestDocument['notes']>;
  answer?: NonNullable<RequestDocument['answer']>;
}

export const outcomeOf = ({ _id, expires: _, entries, ...rest }: RequestDocument): StoredOutcome => ({
  id: _id,
  ...rest,
  ...(entries && { entries: mapValues(entries, unpackResults) }),
});

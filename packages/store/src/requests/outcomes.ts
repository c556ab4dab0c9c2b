/** Outcomes of requests: packed for storing and unpacked for reading, and the records of failures. */
import type { EntryResult } from '@roster/profile';
import { isDuplicate } from '../connection/classify.ts';
import type { Collection } from '../connection/db.ts';
import type { RequestDocument } from '../models/requests.ts';
import { defaultOutcomeDays, type SettingsOf } from '../settings/settings-of.ts';

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
export interface StoredOutcome extends Omit<RequestDocument, '_id' | 'entries' | 'expires'> {
  id: string;
  entries?: Record<string, EntryResult[]>;
}

export const outcomeOf = ({ _id, expires: _, entries, ...rest }: RequestDocument): StoredOutcome => ({
  id: _id,
  ...rest,
  ...(entries && { entries: mapValues(entries, unpackResults) }),
});

/** A request as its mark names it. */
export interface MarkedRequest {
  id: string;
  ws: string;
  op: string;
  at: number;
}

const dayMs = 24 * 3600 * 1000;

/** When something is forgotten. Of a request counted from its application, not its acceptance: a late retry must be remembered as long as any other. */
export const expiryOf = (since: Date, days = defaultOutcomeDays): Date =>
  new Date(since.getTime() + days * dayMs);

/** The mark of a request, with what is kept of it. */
export const markOf = (
  { id: _id, ws, op, at }: MarkedRequest,
  kept: Pick<RequestDocument, 'state' | 'entries' | 'reason' | 'answer' | 'notes'>,
  days?: number,
): RequestDocument => {
  const applied = new Date();
  return { _id, ws, op, at, ...kept, applied, expires: expiryOf(applied, days) };
};

export const createOutcomes = (requests: Collection<RequestDocument>, outcomeDaysOf: SettingsOf<number>) => ({
  /** Under one of these ids. `undefined`: not applied, not failed, or too long ago. */
  async read(ws: string, ...ids: string[]): Promise<StoredOutcome | undefined> {
    const found = await requests.findOne({ _id: { $in: ids }, ws });
    return found ? outcomeOf(found) : undefined;
  },

  /** Only marks with the state `applied` count as applied: a request that failed can be retried later. */
  async fail(request: MarkedRequest, reason: string): Promise<void> {
    const { _id, ...mark } = markOf(request, { state: 'failed', reason }, await outcomeDaysOf(request.ws));
    try {
      await requests.updateOne({ _id, state: 'failed' }, { $set: mark }, { upsert: true });
    } catch (error) {
      // Another worker has applied it after all: that outcome stands.
      if (!isDuplicate(error)) throw error;
    }
  },
});

/** What became of the requests of a job, row by row: read from their marks. */
import { type Json, unpackExact } from '@roster/contract';
import { requestKinds } from '@roster/integrations';
import { outcomeOf, type RequestDocument, type Store, type SyncChunkDocument } from '@roster/store';
import { badEntry } from './bad-rows.ts';
import type { BadRow } from './collector.ts';

export interface Settled {
  chunk: SyncChunkDocument;
  request: string;
  bad: readonly BadRow[];
}

type Entry = NonNullable<BadRow['entry']>;

/** The body of the request of a chunk. */
export const bodyOf = ({ body, exact }: SyncChunkDocument): { [list: string]: Entry[] } => {
  const parsed = JSON.parse(body?.toString() ?? '{}');
  return exact ? (unpackExact(parsed) as typeof parsed) : parsed;
};

/** The entries of a body, and the list of the outcome with their results. */
const entriesIn = (body: { [list: string]: Entry[] }): { list: string; entries: readonly Entry[] } => {
  const [[list, entries] = ['', []]] = Object.entries(body);
  if (list !== 'subscription_groups') return { list, entries };
  const named = ['external_ids', 'emails', 'phones'].find((name) =>
    entries.some((group) => Array.isArray(group[name]) && group[name].length > 0),
  );
  return { list: named ?? '', entries };
};

const fineIn = (op: string | undefined): ReadonlySet<string> =>
  Object.values(requestKinds).find((kind) => kind.op === op)?.fine ?? new Set();

/** `ignored:no_such_user` is a row that came to nothing, unless that is what it wanted. */
const reasonOf = (result: string | undefined, fine: ReadonlySet<string>): string | undefined => {
  if (result === undefined || result === 'created' || result === 'updated') return undefined;
  const reason = result.slice(result.indexOf(':') + 1);
  return fine.has(reason) ? undefined : reason;
};

const asEntry = (entry: Json): Entry =>
  typeof entry === 'object' && entry !== null && !Array.isArray(entry) ? entry : { value: entry };

const settledBy = (chunk: SyncChunkDocument, mark: RequestDocument): Settled => {
  const { state, entries: results = {}, reason } = outcomeOf(mark);
  const fine = fineIn(chunk.op);
  const isFine = (result: string): boolean => reasonOf(result, fine) === undefined;
  // Nearly always: the body need not be read for it.
  if (state === 'applied' && Object.values(results).flat().every(isFine))
    return { chunk, request: mark._id, bad: [] };
  const { list, entries } = entriesIn(bodyOf(chunk));
  const reasons = entries.map((_, place) =>
    state === 'failed' ? (reason ?? 'failed') : reasonOf(results[list]?.[place], fine),
  );
  const bad = entries.flatMap((entry, place) => {
    const why = reasons[place];
    return why === undefined ? [] : [badEntry(asEntry(entry), why)];
  });
  return { chunk, request: mark._id, bad };
};

/** Of those whose request was applied, or became a dead letter. */
export const outcomesOf = async (
  { requests }: Pick<Store, 'requests'>,
  requestOf: (chunk: SyncChunkDocument) => string,
  open: readonly SyncChunkDocument[],
): Promise<Settled[]> => {
  if (open.length === 0) return [];
  const byRequest = new Map(open.map((chunk) => [requestOf(chunk), chunk]));
  const marks = await requests.find({ _id: { $in: [...byRequest.keys()] } }).toArray();
  return marks.flatMap((mark) => {
    const chunk = byRequest.get(mark._id);
    return chunk ? [settledBy(chunk, mark)] : [];
  });
};

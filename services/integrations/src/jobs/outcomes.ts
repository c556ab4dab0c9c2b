/** What became of the requests of a job, row by row: read from their marks. */
import { type DataKind, unpackExact } from '@roster/contract';
import { type Entry, requestKinds } from '@roster/integrations';
import { outcomeOf, type RequestDocument, type Store, type SyncChunkDocument } from '@roster/store';

/** An entry that came to nothing. */
interface BadEntry {
  place: number;
  entry: Entry;
  reason: string;
}

export interface Settled {
  chunk: SyncChunkDocument;
  request: string;
  bad: readonly BadEntry[];
  /** It became a dead letter. */
  isDead: boolean;
}

/** The body of the request of a chunk. */
export const bodyOf = ({ body, exact }: SyncChunkDocument): { [list: string]: Entry[] } => {
  const parsed = JSON.parse(body?.toString() ?? '{}');
  return exact ? (unpackExact(parsed) as typeof parsed) : parsed;
};

/** `ignored:no_such_user` is a row that came to nothing, unless that is what it wanted. */
const reasonOf = (result: string | undefined, fine: ReadonlySet<string>): string | undefined => {
  if (result === undefined || result === 'created' || result === 'updated') return undefined;
  const reason = result.slice(result.indexOf(':') + 1);
  return fine.has(reason) ? undefined : reason;
};

const settledBy = (chunk: SyncChunkDocument, mark: RequestDocument, data: DataKind): Settled => {
  const { state, entries: results = {}, reason } = outcomeOf(mark);
  // Somebody who is not there need not be removed.
  const { fine } = requestKinds[chunk.removed ? 'deletes' : data];
  const { entriesIn } = requestKinds[chunk.op === requestKinds.deletes.op ? 'deletes' : data];
  const isDead = state === 'failed';
  const isFine = (result: string): boolean => reasonOf(result, fine) === undefined;
  // Nearly always: the body need not be read for it.
  if (!isDead && Object.values(results).flat().every(isFine))
    return { chunk, request: mark._id, bad: [], isDead };
  const { list, entries } = entriesIn(bodyOf(chunk));
  const bad = entries.flatMap((entry, place): BadEntry[] => {
    const why = isDead ? (reason ?? 'failed') : reasonOf(results[list]?.[place], fine);
    return why === undefined ? [] : [{ place, entry, reason: why }];
  });
  return { chunk, request: mark._id, bad, isDead };
};

/** Of those whose request was applied, or became a dead letter. */
export const outcomesOf = async (
  { requests }: Pick<Store, 'requests'>,
  requestOf: (chunk: SyncChunkDocument) => string,
  open: readonly SyncChunkDocument[],
  data: DataKind,
): Promise<Settled[]> => {
  if (open.length === 0) return [];
  const byRequest = new Map(open.map((chunk) => [requestOf(chunk), chunk]));
  const marks = await requests.find({ _id: { $in: [...byRequest.keys()] } }).toArray();
  return marks.flatMap((mark) => {
    const chunk = byRequest.get(mark._id);
    return chunk ? [settledBy(chunk, mark, data)] : [];
  });
};

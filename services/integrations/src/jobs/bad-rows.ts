/** The rows that fail: numbered within their job, kept for 30 days. */
import { stringifyExact } from '@roster/contract';
import { keysNamed } from '@roster/profile';
import { expiryOf, type Session, type Store, type SyncRowDocument } from '@roster/store';
import { rowId } from '../reads.ts';
import type { BadRow } from './collector.ts';

const longestRow = 4_096;

/** Of a job; all are counted. */
const mostKept = 10_000;

/** By which the row is found when its person is erased. */
export const personOf = (
  { tombstones }: Pick<Store, 'tombstones'>,
  ws: string,
  entry: BadRow['entry'],
): { person?: string } => {
  const [key] = entry ? keysNamed(ws, [entry as Identified]) : [];
  return key === undefined ? {} : { person: tombstones.digestOf(key) };
};

type Identified = Parameters<typeof keysNamed>[1][number];

interface Keeping {
  job: { _id: string; ws: string; integration: string };
  /** Number of the first. */
  from: number;
  bad: readonly BadRow[];
  /** Stamp of the request. */
  at: number;
  request?: string;
}

const documentOf = (
  store: Pick<Store, 'tombstones'>,
  { job, at, request }: Keeping,
  row: BadRow,
  n: number,
): SyncRowDocument => ({
  _id: rowId(job._id, n),
  ws: job.ws,
  integration: job.integration,
  reason: row.reason.slice(0, 1_000),
  ...(row.updatedAt !== undefined && { updated_at: row.updatedAt }),
  row: row.row.slice(0, longestRow),
  ...(request !== undefined && { request }),
  ...personOf(store, job.ws, row.entry),
  at: row.at ?? at,
  expires: expiryOf(new Date(), 30),
});

export const keepBadRows = async (
  store: Pick<Store, 'syncs' | 'tombstones'>,
  keeping: Keeping,
  session: Session,
): Promise<void> => {
  const { from, bad } = keeping;
  const room = Math.max(0, mostKept - from);
  const documents = bad.slice(0, room).map((row, index) => documentOf(store, keeping, row, from + index));
  if (documents.length > 0) await store.syncs.rows.insertMany(documents, { session });
};

export const badEntry = (entry: BadRow['entry'], reason: string): BadRow => ({
  reason,
  row: stringifyExact(entry ?? null),
  ...(entry && { entry }),
});

/** Questions to MongoDB about itself: whether it answers and writes, and its time limits. */
import type { Documents } from '../models/models.ts';
import type { Collection, Db } from './db.ts';

const timeoutMS = 1000;

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

/** As durably as all others. */
const asAll = { upsert: true, timeoutMS, writeConcern: { w: 'majority', journal: true } } as const;

/** In seconds; `undefined` when the server does not tell. */
const parameterOf = async (db: Db, parameter: string): Promise<number | undefined> => {
  const answer = await db
    .admin()
    .command({ getParameter: 1, [parameter]: 1 })
    // A hosted MongoDB may refuse the question.
    .catch(() => undefined);
  return answer?.[parameter];
};

export const createHealth = (db: Db, probes: Collection<Documents['probes']>) => ({
  /** How long the open transaction of a killed worker blocks the others. */
  transactionLifetime: (): Promise<number | undefined> => parameterOf(db, 'transactionLifetimeLimitSeconds'),
  /** How long a snapshot can be read. */
  historySeconds: (): Promise<number | undefined> => parameterOf(db, 'minSnapshotHistoryWindowInSeconds'),
  /** Whether MongoDB answers within a second. */
  ping: (): Promise<boolean> => succeeds(db.command({ ping: 1 }, { timeoutMS })),
  /** Whether MongoDB stores a small document within a second. */
  isWell: (): Promise<boolean> =>
    succeeds(probes.updateOne({ _id: 'write' }, { $set: { at: new Date() } }, asAll)),
});

/** Events or purchases: one door for all code that writes, reads or removes them. It knows the generations. */
import type { Collection, Db, Session } from '../connection/db.ts';
import type { EventRow, OccurrenceKind, PurchaseRow, WithRequest } from '../models/occurrences.ts';
import { asBuffers, type OccurrenceReading, through } from './branches.ts';
import { createGenerations, isWritten } from './generations.ts';
import type { GenerationLimits } from './is-full.ts';
import type { KeyParts } from './key.ts';
import { createQueries } from './queries.ts';
import { createRemoval } from './removal.ts';
import { rowOf, type Stored, storedOf } from './rows.ts';

/** @public The declarations of open-store.ts name it. The next rows after a key. */
export interface Slice {
  after: Buffer;
  most: number;
}

const least = (rows: readonly KeyParts[]): number =>
  rows.reduce((oldest, { time }) => Math.min(oldest, time.getTime()), Number.POSITIVE_INFINITY);

const createOccurrences = <Row extends KeyParts>(db: Db, of: OccurrenceKind, limits: GenerationLimits) => {
  const generations = createGenerations({ db, of, limits });
  const rowsIn = (name: string): Collection<Stored> => db.collection<Stored>(name, asBuffers);

  return {
    ...createQueries<Row>(db, of, generations.all),
    generations,
    remove: createRemoval(db, generations.all),

    async insert(rows: readonly WithRequest<Row>[], session?: Session): Promise<void> {
      if (rows.length === 0) return;
      const name = await generations.forRows(least(rows));
      await rowsIn(name).insertMany(rows.map(storedOf), { ...(session && { session }) });
    },

    /** The next rows of one generation, in the order of their keys. */
    async slice(name: string, { after, most }: Slice, reading: OccurrenceReading = {}) {
      const how = { ...reading, sort: { _id: 1 }, limit: most, batchSize: most + 1 } as const;
      const found = rowsIn(name).find({ _id: { $gt: after } }, how);
      return (await found.toArray()).map((stored) => ({ ...rowOf<Row>(stored), _id: stored._id }));
    },

    /** Some rows of a slice. Returns their number. */
    async removeIn(name: string, keys: readonly Buffer[], session: Session): Promise<number> {
      const [$gte, $lte] = [keys[0], keys.at(-1)];
      if (!$gte || !$lte) return 0;
      // MongoDB scans everything between the first and the last key: the slice.
      const done = await rowsIn(name).deleteMany({ _id: { $gte, $lte, $in: [...keys] } }, { session });
      return done.deletedCount;
    },

    /** All rows, for tests and inspection. */
    async find(): Promise<Row[]> {
      const written = (await generations.all()).filter(isWritten);
      const branches = written.map(({ _id: coll }) => ({ coll, pipeline: [] }));
      const rows: Row[] = [];
      for await (const some of through<Stored>(db, branches, {})) rows.push(...some.map(rowOf<Row>));
      return rows;
    },
  };
};

export const createEvents = (db: Db, limits: GenerationLimits) =>
  createOccurrences<EventRow>(db, 'events', limits);
export const createPurchases = (db: Db, limits: GenerationLimits) =>
  createOccurrences<PurchaseRow>(db, 'purchases', limits);

/**
 * Merges generations by moving their rows in the order of their keys. A step is one transaction, so a row is here or there; a merge can end anywhere, and
 * the next run continues it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDuplicate } from '../connection/classify.ts';
import type { Collection, Db, Session } from '../connection/db.ts';
import type { Transact } from '../connection/transact.ts';
import type { GenerationDocument, OccurrenceKind } from '../models/occurrences.ts';
import { asBuffers } from './branches.ts';
import type { Stored } from './rows.ts';
import { createCollectionOf, dropEmpty, generationName, kinds } from './steps.ts';
import { type Merge, mergesDue, mergeUnderWay, tierOf } from './tiers.ts';

const stepLimitMs = 60_000;

const bytesInStep = 4 * 1024 * 1024;

/** Of a row without its properties, with room to spare. */
const bytesOfRow = 500;

/** Rows until they have so many bytes. */
const rowsUpTo = async <Row extends { properties?: string }>(
  rows: AsyncIterable<Row>,
  most: number,
): Promise<{ rows: Row[]; isCut: boolean }> => {
  const taken: Row[] = [];
  let bytes = 0;
  for await (const row of rows) {
    taken.push(row);
    bytes += bytesOfRow + (row.properties?.length ?? 0);
    if (bytes >= most) return { rows: taken, isCut: true };
  }
  return { rows: taken, isCut: false };
};

export interface MergeRun {
  signal?: AbortSignal;
  /** The rest after this much work: other users of MongoDB come first. It is shorter when more merges wait. */
  restMs?(workedMs: number, waiting: number): number;
  rowsInStep?: number;
  onMoved?(of: OccurrenceKind, rows: number): void;
  /** The current time, for tests. */
  now?: number;
}

interface MovedRow extends Stored {
  properties?: string;
}

/** Half of the time, and less when merges do not keep up. */
const usualRestMs = (workedMs: number, waiting: number): number => workedMs / (1 + waiting);

/** Before all keys. */
const beginning = Buffer.alloc(0);

interface MergeHead {
  from: Collection<MovedRow>;
  rows: MovedRow[];
  /** There may be more rows. */
  isCut: boolean;
}

const headOf = async (
  from: Collection<MovedRow>,
  after: Buffer,
  session: Session,
  most: { rows: number; bytes: number },
): Promise<MergeHead> => {
  const how = { session, sort: { _id: 1 }, limit: most.rows, batchSize: most.rows + 1 } as const;
  const { rows, isCut } = await rowsUpTo(from.find({ _id: { $gt: after } }, how), most.bytes);
  return { from, rows, isCut: isCut || rows.length === most.rows };
};

/** All rows of all these generations up to this key are loaded. */
const knownUpTo = (heads: readonly MergeHead[]): Buffer | undefined =>
  heads
    .flatMap(({ isCut, rows }) => (isCut ? (rows.at(-1)?._id ?? []) : []))
    .toSorted(Buffer.compare)
    .at(0);

const remove = async ({ from, rows }: MergeHead, session: Session): Promise<void> => {
  const [$gte, $lte] = [rows[0]?._id, rows.at(-1)?._id];
  if (!$gte || !$lte) return;
  const { deletedCount } = await from.deleteMany({ _id: { $gte, $lte } }, { session });
  if (deletedCount !== rows.length)
    throw new Error(`only ${deletedCount} of ${rows.length} rows were removed`);
};

/** Moves the next rows after a key. Returns the last key and the number, or nothing at the end. */
const createMove = (db: Db, transact: Transact) => {
  const rowsOf = ({ _id }: GenerationDocument): Collection<MovedRow> =>
    db.collection<MovedRow>(_id, asBuffers);

  return ({ from, into }: Merge, after: Buffer, rowsInStep: number) => {
    const most = {
      rows: Math.ceil(rowsInStep / from.length),
      bytes: Math.ceil(bytesInStep / from.length),
    };
    return transact(
      async (session) => {
        const heads: MergeHead[] = [];
        for (const one of from) heads.push(await headOf(rowsOf(one), after, session, most));
        const upTo = knownUpTo(heads);
        const taken = heads.map((head) => ({
          ...head,
          rows: upTo ? head.rows.filter(({ _id }) => Buffer.compare(_id, upTo) <= 0) : head.rows,
        }));
        const rows = taken.flatMap((head) => head.rows).toSorted((a, b) => Buffer.compare(a._id, b._id));
        const last = rows.at(-1)?._id;
        if (!last) return undefined;
        await rowsOf(into).insertMany(rows, { session });
        for (const head of taken) await remove(head, session);
        return { last, count: rows.length };
      },
      { limitMs: stepLimitMs },
    );
  };
};

const daysIn = (some: readonly GenerationDocument[]): number[] =>
  some.flatMap(({ oldest }) => (oldest ? [oldest.getTime()] : []));

/** The steps of a merge in the list of generations. */
const createList = (db: Db, transact: Transact) => {
  const generations: Collection<GenerationDocument> = db.collection<GenerationDocument>('generations');
  const all = (of: OccurrenceKind) => generations.find({ of }, { sort: { n: 1 } }).toArray();

  /** The larger one exists, and says its oldest day, before a row moves. */
  const begin = async (of: OccurrenceKind, from: readonly GenerationDocument[], newest: number) => {
    const n = newest + 1;
    const _id = generationName(of, n);
    await createCollectionOf(db, _id);
    const oldest = new Date(Math.min(...daysIn(from)));
    const tier = Math.max(...from.map(tierOf)) + 1;
    const those = { _id: { $in: from.map((one) => one._id) }, into: { $exists: false } };
    await transact(async (session) => {
      await generations.insertOne({ _id, of, n, tier, oldest, closed: new Date() }, { session });
      const { modifiedCount } = await generations.updateMany(those, { $set: { into: _id } }, { session });
      if (modifiedCount !== from.length)
        throw new Error(`the generations of ${_id} are being merged already`);
    }).catch((error: unknown) => {
      // Another process took the number: the due merges are read again.
      if (!isDuplicate(error)) throw error;
    });
  };

  /** Readers skip a generation without a day. */
  const finish = async ({ from }: Merge): Promise<void> => {
    const those = { _id: { $in: from.map(({ _id }) => _id) } };
    await generations.updateMany(those, [{ $set: { emptied: '$$NOW' } }, { $unset: 'oldest' }]);
  };

  /** A process that was paused may have written to it since: these rows are moved too. */
  const reopen = async ({ _id, into }: GenerationDocument): Promise<void> => {
    const anyDay = new Date(0);
    await generations.updateOne({ _id: into ?? '' }, { $min: { oldest: anyDay } });
    await generations.updateOne({ _id }, { $set: { oldest: anyDay }, $unset: { emptied: '' } });
  };

  /** Generations whose rows were moved are dropped when nobody reads them any more. */
  const dropMerged = async (of: OccurrenceKind, now: number | undefined): Promise<void> => {
    for (const one of await all(of)) {
      if (one.into === undefined || !one.emptied) continue;
      if (await db.collection(one._id).findOne({}, { projection: { _id: 1 } })) await reopen(one);
      else await dropEmpty(db, generations, one, now);
    }
  };

  return { all, begin, finish, dropMerged };
};

export const createMerging = (db: Db, transact: Transact) => {
  const { all, begin, finish, dropMerged } = createList(db, transact);
  const move = createMove(db, transact);

  const carryOut = async (of: OccurrenceKind, merge: Merge, waiting: number, run: MergeRun) => {
    const { signal, restMs = usualRestMs, rowsInStep = 2000, onMoved } = run;
    let moved = 0;
    for (let after: Buffer = beginning; ; ) {
      signal?.throwIfAborted();
      const began = performance.now();
      const done = await move(merge, after, rowsInStep);
      if (!done) break;
      after = done.last;
      moved += done.count;
      onMoved?.(of, done.count);
      await sleep(restMs(performance.now() - began, waiting), undefined, { ...(signal && { signal }) });
    }
    await finish(merge);
    return moved;
  };

  /** Until nothing is due. */
  const runKind = async (of: OccurrenceKind, run: MergeRun): Promise<number> => {
    await dropMerged(of, run.now);
    let moved = 0;
    for (;;) {
      const some = await all(of);
      const merge = mergeUnderWay(some);
      const [next, ...others] = mergesDue(some, run.now ?? Date.now());
      if (merge) moved += await carryOut(of, merge, next ? others.length + 1 : 0, run);
      else if (next) await begin(of, next, some.at(-1)?.n ?? 0);
      else return moved;
    }
  };

  return {
    /** Merges all that is due. Only one process at a time may do so. Returns the number of rows that were moved. */
    async run(run: MergeRun = {}): Promise<Record<OccurrenceKind, number>> {
      const moved = { events: 0, purchases: 0 };
      for (const of of kinds) moved[of] = await runKind(of, run);
      return moved;
    },
  };
};

/**
 * Moves the rows of the earlier layout into a generation of their own, in the order of their new keys. A step is one transaction, so a row is here or there,
 * and a run can end anywhere and be repeated.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { Collection, Db, Session } from '../../db.ts';
import type { GenerationDocument, Kind } from '../../documents.ts';
import type { Transact } from '../../transact.ts';
import { dayOf } from '../generations.ts';
import { bytesInStep, rowsUpTo, stepLimitMs } from '../moving.ts';
import { kinds } from '../name.ts';
import { type Stored, storedOf } from '../rows.ts';
import { createCollectionOf } from '../steps.ts';
import { beginMigration } from './begin.ts';
import { type EarlierRow, earlierGeneration, earlierIndex, earlierRows, sentOf } from './row.ts';

export interface MigrationRun {
  signal?: AbortSignal;
  /** The rest after this much work: other users of MongoDB come first. */
  restMs?(workedMs: number): number;
  rowsInStep?: number;
  onMoved?(of: Kind, rows: number): void;
}

/** Rows by kind. */
export type RowsOf = Record<Kind, number>;

/** MongoDB keeps the rows of a killed run as long, at most. */
const patienceMs = 90_000;

const { MinKey } = mongoose.mongo.BSON;

const startAt = (of: Kind, { profile, time }: EarlierRow): object => {
  const [, , ...others] = Object.keys(earlierIndex[of].key);
  return { profile, time, ...Object.fromEntries(others.map((name) => [name, new MinKey()])) };
};

type Generations = Collection<GenerationDocument>;

/** Moves the next rows, from this one on. */
const createStep = (db: Db, generations: Generations, transact: Transact) => {
  /** The next rows from this one on; it may be there itself. */
  const next = async (
    of: Kind,
    from: EarlierRow | undefined,
    { session, most }: { session: Session; most: number },
  ): Promise<EarlierRow[]> => {
    const { name: hint } = earlierIndex[of];
    const range = from ? { min: startAt(of, from) } : {};
    const found = earlierRows(db, of).find({}, { session, hint, ...range, limit: most });
    return (await rowsUpTo(found, bytesInStep)).rows;
  };

  /** Readers skip a generation whose first day is later. */
  const announce = (of: Kind, rows: readonly EarlierRow[]) => {
    const oldest = dayOf(Math.min(...rows.map(({ time }) => time.getTime())));
    return generations.updateOne({ _id: earlierGeneration(of) }, { $min: { oldest } });
  };

  return (of: Kind, from: EarlierRow | undefined, most: number): Promise<EarlierRow[]> =>
    transact(
      async (session) => {
        const rows = await next(of, from, { session, most });
        if (rows.length === 0) return rows;
        await announce(of, rows);
        const target = db.collection<Stored>(earlierGeneration(of));
        await target.insertMany(
          rows.map((row) => storedOf(sentOf(row))),
          { session },
        );
        const ids = rows.map(({ _id }) => _id);
        const { deletedCount } = await earlierRows(db, of).deleteMany({ _id: { $in: ids } }, { session });
        if (deletedCount !== rows.length) throw new Error(`${rows.length - deletedCount} rows were gone`);
        return rows;
      },
      { limitMs: stepLimitMs, patienceMs },
    );
};

export const createMigration = (db: Db, transact: Transact) => {
  const generations: Generations = db.collection<GenerationDocument>('generations');
  const step = createStep(db, generations, transact);

  /** From the first row to the last one. Returns the number of rows. */
  const pass = async (of: Kind, run: MigrationRun): Promise<number> => {
    const { signal, restMs = (worked) => worked, rowsInStep = 1000, onMoved } = run;
    let moved = 0;
    for (let from: EarlierRow | undefined; ; ) {
      signal?.throwIfAborted();
      const began = performance.now();
      const rows = await step(of, from, rowsInStep);
      if (rows.length === 0) return moved;
      from = rows.at(-1);
      moved += rows.length;
      onMoved?.(of, rows.length);
      await sleep(restMs(performance.now() - began), undefined, { ...(signal && { signal }) });
    }
  };

  /** From now on nobody reads the collection of the earlier layout. It is dropped by a later start of a service. */
  const finish = async (of: Kind): Promise<void> => {
    await generations.updateOne({ _id: earlierGeneration(of), migrating: true }, [
      { $set: { closed: '$$NOW' } },
      { $unset: 'migrating' },
    ]);
  };

  return {
    async waiting(): Promise<RowsOf> {
      const [events, purchases] = kinds.map((of) => earlierRows(db, of).estimatedDocumentCount());
      return { events: (await events) ?? 0, purchases: (await purchases) ?? 0 };
    },

    async run(run: MigrationRun = {}): Promise<RowsOf> {
      const moved: RowsOf = { events: 0, purchases: 0 };
      await beginMigration(db);
      for (const of of kinds) {
        if (!(await generations.findOne({ _id: earlierGeneration(of), migrating: true }))) continue;
        await createCollectionOf(db, earlierGeneration(of));
        // A process of the version before may have written behind the walk.
        for (let some = -1; some !== 0; moved[of] += some) some = await pass(of, run);
        await finish(of);
      }
      return moved;
    },
  };
};

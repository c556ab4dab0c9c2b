/**
 * Moves the rows of the earlier layout into a generation of their own, in the order of their new keys. A step is one transaction, so a row is here or there,
 * and a run can end anywhere and be repeated.
 */
import type { Db } from '../../db.ts';
import type { GenerationDocument, Kind } from '../../documents.ts';
import type { Transact } from '../../transact.ts';
import { inSteps, type MovingRun } from '../moving.ts';
import { kinds } from '../name.ts';
import { createCollectionOf } from '../steps.ts';
import { beginMigration } from './begin.ts';
import { createStep, type Generations } from './migrate-rows.ts';
import { type EarlierRow, earlierGeneration, earlierRows } from './row.ts';

export interface MigrationRun extends MovingRun {
  /** The rest after this much work: other users of MongoDB come first. */
  restMs?(workedMs: number): number;
}

/** Rows by kind. */
export type RowsOf = Record<Kind, number>;

export const createMigration = (db: Db, transact: Transact) => {
  const generations: Generations = db.collection<GenerationDocument>('generations');
  const step = createStep(db, generations, transact);

  /** From the first row to the last one. Returns the number of rows. */
  const pass = (of: Kind, run: MigrationRun): Promise<number> => {
    const { restMs = (worked) => worked, rowsInStep = 1000 } = run;
    return inSteps<EarlierRow>(of, (from) => step(of, from, rowsInStep), { ...run, restMs });
  };

  /** From now on no process reads the collection of the earlier layout. A later start of a service drops it. */
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

/** At the start of a service: rows of the earlier layout are read, and wait for `roster migrate`. */
import type { Collection, Db } from '../../db.ts';
import type { GenerationDocument } from '../../documents.ts';
import { settledAfterMs } from '../drop-empty.ts';
import { kinds } from '../name.ts';
import { createCollectionOf } from '../steps.ts';
import { earlierGeneration, earlierIndex, earlierRows } from './row.ts';

const isSettled = ({ closed }: GenerationDocument): boolean =>
  closed !== undefined && closed.getTime() < Date.now() - settledAfterMs;

export const beginMigration = async (db: Db): Promise<void> => {
  const generations: Collection<GenerationDocument> = db.collection<GenerationDocument>('generations');
  for (const of of kinds) {
    const _id = earlierGeneration(of);
    if (await earlierRows(db, of).findOne({}, { projection: { _id: 1 } })) {
      const { key, name } = earlierIndex[of];
      await earlierRows(db, of).createIndex(key, { name });
      const migrating = { $set: { of, n: 0, migrating: true }, $unset: { closed: '', emptied: '' } } as const;
      await generations.updateOne({ _id }, migrating, { upsert: true });
      await createCollectionOf(db, _id);
      continue;
    }
    const done = await generations.findOne({ _id });
    // No moment reads it any more.
    if (done && isSettled(done)) await db.dropCollection(of).catch(() => {});
  }
};

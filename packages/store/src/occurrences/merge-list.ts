/** The steps of a merge in the list of generations. */
import type { Collection, Db } from '../db.ts';
import type { GenerationDocument, Kind } from '../documents.ts';
import type { Transact } from '../transact.ts';
import { dropEmpty } from './drop-empty.ts';
import { generationName } from './name.ts';
import { createCollectionOf } from './steps.ts';
import { type Merge, tierOf } from './tiers.ts';

const duplicateKey = 11000;

const daysIn = (some: readonly GenerationDocument[]): number[] =>
  some.flatMap(({ oldest }) => (oldest ? [oldest.getTime()] : []));

/** The steps of a merge in the list of generations. */
export const createList = (db: Db, transact: Transact) => {
  const generations: Collection<GenerationDocument> = db.collection<GenerationDocument>('generations');
  const all = (of: Kind) => generations.find({ of }, { sort: { n: 1 } }).toArray();

  /** The larger one is there, and says its oldest day, before a row moves. */
  const begin = async (of: Kind, from: readonly GenerationDocument[], newest: number): Promise<void> => {
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
    }).catch((error: { code?: unknown }) => {
      // Another process took the number: the next round looks for due merges again.
      if (error.code !== duplicateKey) throw error;
    });
  };

  /** Readers skip a generation without a day. */
  const finish = async ({ from }: Merge): Promise<void> => {
    const those = { _id: { $in: from.map(({ _id }) => _id) } };
    await generations.updateMany(those, [{ $set: { emptied: '$$NOW' } }, { $unset: 'oldest' }]);
  };

  /** A process that stood still may have written to it since: these rows are moved as well. */
  const reopen = async ({ _id, into }: GenerationDocument): Promise<void> => {
    const anyDay = new Date(0);
    await generations.updateOne({ _id: into ?? '' }, { $min: { oldest: anyDay } });
    await generations.updateOne({ _id }, { $set: { oldest: anyDay }, $unset: { emptied: '' } });
  };

  /** Merged generations are dropped when no process reads them any more. */
  const dropMerged = async (of: Kind, now: number | undefined): Promise<void> => {
    for (const one of await all(of)) {
      if (one.into === undefined || !one.emptied) continue;
      if (await db.collection(one._id).findOne({}, { projection: { _id: 1 } })) await reopen(one);
      else await dropEmpty(db, generations, one, now);
    }
  };

  return { all, begin, finish, dropMerged };
};

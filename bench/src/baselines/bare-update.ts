// The yardstick of updates: the same documents, one attribute set in each, in plain transactions, one after the other.
import type mongoose from 'mongoose';
import { answerWithMongo, type Servers, writeTogether } from './bare-mongo.ts';

export interface UpdateTask extends Servers {
  /** The collection whose documents and indexes are copied. */
  like: string;
  updates: number;
  /** In each transaction. */
  batch: number;
}

const scratch = 'bench_bare_update';

interface Row {
  _id: string;
}

type Rows = mongoose.mongo.Collection<Row>;

/** Made once, with the same documents and the same indexes. */
const scratchLike = async (db: mongoose.mongo.Db, like: string): Promise<Rows> => {
  if (await db.listCollections({ name: scratch }).hasNext()) return db.collection<Row>(scratch);
  const made = await db.createCollection<Row>(scratch);
  const [, ...indexes] = await db.collection(like).indexes();
  for (const { key, v: _version, name: _name, ...rest } of indexes) await made.createIndex(key, rest);
  await db
    .collection(like)
    .aggregate([{ $match: {} }, { $merge: scratch }])
    .toArray();
  return made;
};

answerWithMongo<UpdateTask>(async (client, { like, updates, batch }) => {
  const rows = await scratchLike(client.db(), like);
  const ids = await rows.distinct('_id');
  const first = Date.now();
  const batchOf = (from: number) =>
    Array.from({ length: batch }, (_, i) => ({
      updateOne: {
        filter: { _id: ids[(from + i) % ids.length] as string },
        update: { $set: { 'custom.0.v': first + from + i } },
      },
    }));
  return async () => {
    for (let from = 0; from < updates; from += batch) await writeTogether(client, rows, batchOf(from));
    return updates;
  };
});

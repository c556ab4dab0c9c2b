// The measure for the whole: the same documents, into the same indexes, with nothing in between.
import mongoose from 'mongoose';
import { answerParent } from '../child.ts';

export interface InsertTask {
  mongoUrl: string;
  /** The collection whose documents and indexes are copied. */
  like: string;
  documents: number;
  batch: number;
}

const { MongoClient, ObjectId } = mongoose.mongo;
const scratch = 'bench_bare_insert';

interface Row {
  _id: string;
}

/** As many documents as asked for, shaped like those that are stored, each with an id of its own. */
const copies = (samples: Row[], count: number): Row[] =>
  Array.from({ length: count }, (_, i) => {
    const sample = samples[i % samples.length] as Row;
    return { ...sample, _id: `${sample._id.slice(0, -10)}${new ObjectId().toHexString().slice(-10)}` };
  });

/** Made once with the same indexes; then it grows from run to run, as the other one does. */
const scratchLike = async (db: mongoose.mongo.Db, like: string): Promise<mongoose.mongo.Collection<Row>> => {
  if (await db.listCollections({ name: scratch }).hasNext()) return db.collection<Row>(scratch);
  const made = await db.createCollection<Row>(scratch);
  for (const { key, name } of await db.collection(like).indexes()) {
    if (name !== '_id_') await made.createIndex(key);
  }
  return made;
};

const insert = async ({ mongoUrl, like, documents, batch }: InsertTask): Promise<number> => {
  const client = await MongoClient.connect(mongoUrl, { writeConcern: { w: 'majority', journal: true } });
  try {
    const db = client.db();
    const target = await scratchLike(db, like);
    const samples = await db.collection<Row>(like).find().sort({ $natural: -1 }).limit(20_000).toArray();
    const rows = copies(samples as Row[], documents);
    const began = performance.now();
    for (let from = 0; from < rows.length; from += batch) {
      await target.insertMany(rows.slice(from, from + batch), { ordered: false });
    }
    return documents / ((performance.now() - began) / 1_000);
  } finally {
    await client.close();
  }
};

answerParent<InsertTask, number>(insert);

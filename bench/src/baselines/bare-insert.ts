// The yardstick of storing: an event as one document with a text for its id, into one collection with the index of the exports, with nothing in between.
import mongoose from 'mongoose';
import { newestEvents, type StoredEvent } from '../stored-events.ts';
import { answerWithMongo, type Servers } from './bare-mongo.ts';

export interface InsertTask extends Servers {
  documents: number;
  batch: number;
}

const { ObjectId } = mongoose.mongo;
const scratch = 'bench_bare_insert';

interface Row {
  _id: string;
  ws: string;
  profile: string;
  time: Date;
  at: number;
  name: string;
  properties?: string;
}

const earliest = 2 ** 46;

const rowOf = ({ _id, ...rest }: StoredEvent): Omit<Row, '_id'> => ({
  ...rest,
  profile: _id.toString('hex', 0, 12),
  time: new Date(_id.readUIntBE(12, 6) - earliest),
  at: Number(_id.readBigUInt64BE(17) & 0x00ff_ffff_ffff_ffffn),
});

/** As many documents as asked for, shaped like those that are stored, each with an id of its own. */
const copies = (samples: StoredEvent[], count: number): Row[] => {
  const rows = samples.map(rowOf);
  return Array.from({ length: count }, (_, i) => {
    const sample = rows[i % rows.length] as Row;
    return { ...sample, _id: `r${sample.at.toString(36)}-${new ObjectId().toHexString().slice(-10)}` };
  });
};

/** Made once; then it grows from run to run, as the other one does. */
const scratchIn = async (db: mongoose.mongo.Db): Promise<mongoose.mongo.Collection<Row>> => {
  if (await db.listCollections({ name: scratch }).hasNext()) return db.collection<Row>(scratch);
  const made = await db.createCollection<Row>(scratch);
  await made.createIndex({ profile: 1, time: 1, name: 1 });
  return made;
};

answerWithMongo<InsertTask>(async (client, { documents, batch }) => {
  const db = client.db();
  const target = await scratchIn(db);
  const samples = await (await newestEvents(db)).find().limit(20_000).toArray();
  const rows = copies(samples, documents);
  return async () => {
    for (let from = 0; from < rows.length; from += batch)
      await target.insertMany(rows.slice(from, from + batch), { ordered: false });
    return documents;
  };
});

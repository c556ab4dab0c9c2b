// The yardstick of storing: an event as one document with a text for its id, into one collection with the index of the exports, with nothing in between.
import { type EventRow, isWritten, openStore } from '@roster/store';
import mongoose from 'mongoose';
import { answerWithMongo, type Servers } from './bare-mongo.ts';

export interface InsertTask extends Servers {
  documents: number;
  batch: number;
}

const { ObjectId } = mongoose.mongo;
const scratch = 'bench_bare_insert';

type Row = Omit<EventRow, 'index'> & { _id: string };

/** The newest events that are stored. */
const newestEvents = async (url: string): Promise<EventRow[]> => {
  const { events, close } = await openStore({ url, appName: 'bench' });
  const newest = (await events.generations.all()).findLast(isWritten);
  const found = await events.slice(newest?._id ?? '', { after: Buffer.alloc(30), most: 20_000 });
  await close();
  return found;
};

/** As many documents as asked for, shaped like those that are stored, each with an id of its own. */
const copies = (samples: EventRow[], count: number): Row[] =>
  Array.from({ length: count }, (_, i) => {
    const { index: _index, ...sample } = samples[i % samples.length] as EventRow;
    return { ...sample, _id: `r${sample.at.toString(36)}-${new ObjectId().toHexString().slice(-10)}` };
  });

/** Made once; then it grows from run to run, as the other one does. */
const scratchIn = async (db: mongoose.mongo.Db): Promise<mongoose.mongo.Collection<Row>> => {
  if (await db.listCollections({ name: scratch }).hasNext()) return db.collection<Row>(scratch);
  const made = await db.createCollection<Row>(scratch);
  await made.createIndex({ profile: 1, time: 1, name: 1 });
  return made;
};

answerWithMongo<InsertTask>(async (client, { mongoUrl, documents, batch }) => {
  const target = await scratchIn(client.db());
  const rows = copies(await newestEvents(mongoUrl), documents);
  return async () => {
    for (let from = 0; from < rows.length; from += batch)
      await target.insertMany(rows.slice(from, from + batch), { ordered: false });
    return documents;
  };
});

// Stored events, written without the services: rows of a person under keys that begin with the profile and the time.
import type mongoose from 'mongoose';

type Db = mongoose.mongo.Db;

export interface StoredEvent {
  _id: Buffer;
  ws: string;
  name: string;
  properties?: string;
}

const collectionName = /^events_(\d+)$/;

const numberIn = (name: string): number => Number(collectionName.exec(name)?.[1]);

/** The generation that is written now is the last but one: the next one is there before it is needed. */
export const newestEvents = async (db: Db) => {
  const found = await db
    .listCollections({ name: { $regex: collectionName.source } }, { nameOnly: true })
    .toArray();
  const names = found.map(({ name }) => name).toSorted((a, b) => numberIn(a) - numberIn(b));
  const newest = names.at(-2) ?? 'events_1';
  // Readers skip a generation that does not say its oldest day.
  await db
    .collection<{ _id: string; oldest?: Date }>('generations')
    .updateOne({ _id: newest }, { $min: { oldest: new Date(0) } });
  return db.collection<StoredEvent>(newest, { promoteBuffers: true });
};

const earliest = 2 ** 46;

/** `n` takes the place of stamp, request and position: it is another one for each row of a person and time. */
export const keyOf = (profile: string, time: number, n: number): Buffer => {
  const key = Buffer.alloc(30);
  key.write(profile, 0, 'hex');
  key.writeUIntBE(time + earliest, 12, 6);
  key.writeUIntBE(n, 24, 6);
  return key;
};

const batch = 5_000;

/** Copies the stored events of one person, under other ids, until there are so many. */
export const multiplyEvents = async (db: Db, externalId: string, total: number): Promise<void> => {
  const profile = await db
    .collection<{ _id: string }>('profiles')
    .findOne({ external_id: externalId } as object);
  if (!profile) throw new Error(`there is no ${externalId}`);
  const events = await newestEvents(db);
  const theirs = { $gte: keyOf(profile._id, -earliest, 0), $lte: keyOf(profile._id, earliest, 0) };
  const samples = await events.find({ _id: theirs }).limit(500).toArray();
  if (samples.length === 0) throw new Error(`${externalId} has no events`);
  for (let made = 0; made < total; made += batch) {
    const rows = Array.from({ length: batch }, (_, i) => {
      const sample = samples[i % samples.length] as StoredEvent;
      const time = sample._id.readUIntBE(12, 6) - earliest;
      return { ...sample, _id: keyOf(profile._id, time, made + i) };
    });
    await events.insertMany(rows, { ordered: false });
  }
};

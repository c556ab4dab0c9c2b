import type mongoose from 'mongoose';
import { keyOf, newestEvents, type StoredEvent } from './stored-events.ts';

const batch = 5_000;

/** Copies the stored events of one person, under other ids, until there are so many. */
export const multiplyEvents = async (
  db: mongoose.mongo.Db,
  externalId: string,
  total: number,
): Promise<void> => {
  const profile = await db
    .collection<{ _id: string }>('profiles')
    .findOne({ external_id: externalId } as object);
  if (!profile) throw new Error(`there is no ${externalId}`);
  const events = await newestEvents(db);
  const theirs = { $gte: keyOf(profile._id, -(2 ** 46), 0), $lte: keyOf(profile._id, 2 ** 46, 0) };
  const samples = await events.find({ _id: theirs }).limit(500).toArray();
  if (samples.length === 0) throw new Error(`${externalId} has no events`);
  for (let made = 0; made < total; made += batch) {
    const rows = Array.from({ length: batch }, (_, i) => {
      const sample = samples[i % samples.length] as StoredEvent;
      const time = sample._id.readUIntBE(12, 6) - 2 ** 46;
      return { ...sample, _id: keyOf(profile._id, time, made + i) };
    });
    await events.insertMany(rows, { ordered: false });
  }
};

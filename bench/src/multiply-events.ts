import type mongoose from 'mongoose';

interface Row {
  _id: string;
  at?: number;
}

const batch = 5_000;

/** Copies the stored events of one person, under other ids, until there are so many. */
export const multiplyEvents = async (
  db: mongoose.mongo.Db,
  externalId: string,
  total: number,
): Promise<void> => {
  const profile = await db.collection('profiles').findOne({ external_id: externalId });
  if (!profile) throw new Error(`there is no ${externalId}`);
  const events = db.collection<Row>('events');
  const samples = await events
    .find({ profile: profile._id } as object)
    .limit(500)
    .toArray();
  if (samples.length === 0) throw new Error(`${externalId} has no events`);
  for (let made = 0; made < total; made += batch) {
    const rows = Array.from({ length: batch }, (_, i) => ({
      ...(samples[i % samples.length] as Row),
      _id: `copy-${made + i}`,
    }));
    await events.insertMany(rows, { ordered: false });
  }
};

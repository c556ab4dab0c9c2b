// Events and purchases as they are stored: in a row of collections, under keys that begin with the profile, the time and the stamp.
import type { Db } from './mongo.ts';

export type Kind = 'events' | 'purchases';

interface Stored {
  _id: Buffer;
  [name: string]: unknown;
}

export interface StoredRow {
  profile: string;
  at: number;
  [name: string]: unknown;
}

const collectionsOf = async (mongo: Db, kind: Kind) => {
  const found = await mongo
    .listCollections({ name: { $regex: `^${kind}_[0-9]+$` } }, { nameOnly: true })
    .toArray();
  return found.map(({ name }) => mongo.collection<Stored>(name, { promoteBuffers: true }));
};

const rowOf = ({ _id, ...rest }: Stored): StoredRow => ({
  ...rest,
  profile: _id.toString('hex', 0, 12),
  at: Number(_id.readBigUInt64BE(17) & 0x00ff_ffff_ffff_ffffn),
});

export const rowsOf = async (mongo: Db, kind: Kind, filter: object = {}): Promise<StoredRow[]> => {
  const all = await collectionsOf(mongo, kind);
  const found = await Promise.all(all.map((one) => one.find(filter, { batchSize: 10_000 }).toArray()));
  return found.flat().map(rowOf);
};

export const countRows = async (mongo: Db, kind: Kind, filter: object = {}): Promise<number> => {
  const all = await collectionsOf(mongo, kind);
  const counts = await Promise.all(all.map((one) => one.countDocuments(filter)));
  return counts.reduce((sum, count) => sum + count, 0);
};

/** How often each name or product is stored. */
export const countByToken = async (mongo: Db, kind: Kind): Promise<Map<string, number>> => {
  const field = kind === 'events' ? '$name' : '$product_id';
  const counts = new Map<string, number>();
  for (const one of await collectionsOf(mongo, kind)) {
    const groups = one.aggregate<{ _id: string; count: number }>([
      { $group: { _id: field, count: { $sum: 1 } } },
    ]);
    for (const { _id, count } of await groups.toArray()) counts.set(_id, (counts.get(_id) ?? 0) + count);
  }
  return counts;
};

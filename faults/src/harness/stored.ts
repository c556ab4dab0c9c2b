// What MongoDB holds, counted from the bare documents.
import type { Db } from './mongo.ts';
import type { Tally } from './story.ts';

interface Counted {
  _id: string;
  count: number;
}

/** How often each name is stored. */
export const countBy = async (mongo: Db, collection: string, field: string): Promise<Map<string, number>> => {
  const groups = mongo
    .collection(collection)
    .aggregate<Counted>([{ $group: { _id: `$${field}`, count: { $sum: 1 } } }]);
  return new Map((await groups.toArray()).map(({ _id, count }) => [_id, count]));
};

interface StoredProfile {
  external_id?: string;
  custom?: { k: string; v: unknown }[];
}

/** One custom attribute of all people who have it. */
export const attributeOfAll = async (mongo: Db, name: string): Promise<Map<string, unknown>> => {
  const profiles = await mongo.collection<StoredProfile>('profiles').find({ 'custom.k': name }).toArray();
  return new Map(
    profiles.map(({ external_id = '', custom = [] }) => [external_id, custom.find(({ k }) => k === name)?.v]),
  );
};

export const tallyOf = async (mongo: Db): Promise<Tally> => {
  const [sum] = await mongo
    .collection('purchases')
    .aggregate<{ revenue: number }>([{ $group: { _id: null, revenue: { $sum: '$price' } } }])
    .toArray();
  return {
    events: await countBy(mongo, 'events', 'name'),
    products: await countBy(mongo, 'purchases', 'product_id'),
    revenue: sum?.revenue ?? 0,
    visits: (await attributeOfAll(mongo, 'visits')) as Map<string, number>,
  };
};

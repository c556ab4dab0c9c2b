// What MongoDB holds, counted from the bare documents.
import type { Db } from './mongo.ts';
import { countByToken, rowsOf } from './rows.ts';
import type { Tally } from './story.ts';

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
  const bought = await rowsOf(mongo, 'purchases');
  return {
    events: await countByToken(mongo, 'events'),
    products: await countByToken(mongo, 'purchases'),
    revenue: bought.reduce((sum, { price }) => sum + Number(price), 0),
    visits: (await attributeOfAll(mongo, 'visits')) as Map<string, number>,
  };
};

// How often each thing happened: by the chapters that were accepted, and by the bare documents of MongoDB.
import type { Db } from './mongo.ts';
import { countByToken, rowsOf } from './rows.ts';
import type { Chapter } from './story.ts';

/** Events and products by name, increments by person. */
interface Tally {
  events: Map<string, number>;
  products: Map<string, number>;
  revenue: number;
  visits: Map<string, number>;
}

const add = (counts: Map<string, number>, name: string, by = 1): void => {
  counts.set(name, (counts.get(name) ?? 0) + by);
};

/** What must be stored, if just these were applied, each once. */
export const expected = (chapters: Iterable<Chapter>): Tally => {
  const tally: Tally = { events: new Map(), products: new Map(), revenue: 0, visits: new Map() };
  for (const { body } of chapters) {
    for (const { name } of body.events) add(tally.events, String(name));
    for (const { product_id } of body.purchases) add(tally.products, String(product_id));
    for (const { price } of body.purchases) tally.revenue += Number(price);
    for (const { external_id, visits } of body.attributes)
      add(tally.visits, external_id, (visits as { inc: number }).inc);
  }
  return tally;
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
  const bought = await rowsOf(mongo, 'purchases');
  return {
    events: await countByToken(mongo, 'events'),
    products: await countByToken(mongo, 'purchases'),
    revenue: bought.reduce((sum, { price }) => sum + Number(price), 0),
    visits: (await attributeOfAll(mongo, 'visits')) as Map<string, number>,
  };
};

export interface Comparison {
  lost: number;
  doubled: number;
  /** Effects of requests that were never accepted. */
  foreign: number;
  revenueOff: number;
  visitsOff: number;
}

export const compareCounts = (wanted: Map<string, number>, found: Map<string, number>) => {
  const of = { lost: 0, doubled: 0, foreign: 0 };
  for (const [name, count] of wanted) {
    const seen = found.get(name) ?? 0;
    of.lost += Math.max(0, count - seen);
    of.doubled += Math.max(0, seen - count);
  }
  for (const name of found.keys()) if (!wanted.has(name)) of.foreign++;
  return of;
};

export const compare = (wanted: Tally, found: Tally): Comparison => {
  const events = compareCounts(wanted.events, found.events);
  const products = compareCounts(wanted.products, found.products);
  const visits = compareCounts(wanted.visits, found.visits);
  return {
    lost: events.lost + products.lost,
    doubled: events.doubled + products.doubled,
    foreign: events.foreign + products.foreign + visits.foreign,
    revenueOff: found.revenue - wanted.revenue,
    visitsOff: visits.lost + visits.doubled,
  };
};

/** One sentence for each figure that isn't zero. */
export const differences = (comparison: Comparison): string[] => {
  const { lost, doubled, foreign, revenueOff, visitsOff } = comparison;
  const said = (count: number, sentence: string) => (count === 0 ? [] : [`${count} ${sentence}`]);
  return [
    ...said(lost, 'events and purchases of accepted requests are lost'),
    ...said(doubled, 'events and purchases are stored twice'),
    ...said(foreign, 'effects belong to no accepted request'),
    ...said(revenueOff, 'off in the sum of the purchases'),
    ...said(visitsOff, 'off in the increments'),
  ];
};

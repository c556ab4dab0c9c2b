// A story: requests with effects that can be counted afterwards, one by one. Every event has a name and every purchase a product of its own.
import type { Dice } from './dice.ts';

interface Entry extends Record<string, unknown> {
  external_id: string;
}

export interface Chapter {
  /** Its idempotency key, too. */
  key: string;
  body: { attributes: Entry[]; events: Entry[]; purchases: Entry[] };
}

const time = '2025-06-01T12:00:00Z';
const person = (dice: Dice, people: number): string => `person-${dice.below(people)}`;
const some = <T>(dice: Dice, least: number, most: number, make: (i: number) => T): T[] =>
  Array.from({ length: least + dice.below(most - least + 1) }, (_, i) => make(i));

const chapter = (dice: Dice, people: number, key: string): Chapter => ({
  key,
  body: {
    attributes: some(dice, 0, 2, () => ({
      external_id: person(dice, people),
      visits: { inc: 1 + dice.below(5) },
      last_seen_in: key,
    })),
    events: some(dice, 1, 3, (i) => ({
      external_id: person(dice, people),
      name: `${key}-event-${i}`,
      time,
      properties: { position: i },
    })),
    purchases: some(dice, 0, 2, (i) => ({
      external_id: person(dice, people),
      product_id: `${key}-product-${i}`,
      currency: 'USD',
      price: 1 + dice.below(100),
      time,
    })),
  },
});

/** Mixed requests over some people. */
export const tellStory = (dice: Dice, requests: number, people = 200): Chapter[] =>
  Array.from({ length: requests }, (_, i) => chapter(dice, people, `chapter-${i}`));

/** How often each thing happened: events and products by name, increments by person. */
export interface Tally {
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

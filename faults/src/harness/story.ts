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

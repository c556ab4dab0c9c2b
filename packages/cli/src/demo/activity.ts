/** The activity of a person on a day. It follows from seed, person and day alone, so that a second run sends the same for the same days. */

import type { Entry } from '../import/row.ts';
import type { JsonObject } from '../json.ts';
import type { Person } from './people.ts';
import { type Chance, chanceOf } from './random.ts';
import { devices, type Place, type Product, pages, products } from './words.ts';

const dayMs = 86_400_000;

/** Days since 1970. */
export const dayOf = (time: number): number => Math.floor(time / dayMs);

/** Whole amounts in currencies without cents; a price tag elsewhere. */
export const priceIn = ({ currency, rate }: Place, { euros }: Product): number => {
  const amount = euros * rate;
  if (currency === 'JPY') return Math.round(amount / 10) * 10;
  return rate > 5 ? Math.max(1, Math.round(amount)) : Math.round(amount * 10) / 10;
};

const isWeekend = (day: number): boolean => [2, 3].includes(day % 7);

/** Between seven in the morning and eleven at night, mostly in the evening, in their time zone. */
const beginningOf = (day: number, { place }: Person, chance: Chance): number => {
  const local = 7 + 16 * Math.max(chance.next(), chance.next());
  return day * dayMs + Math.round((((local - place.hours + 24) % 24) / 24) * dayMs);
};

const productFor = ({ favourites }: Person, chance: Chance): Product | undefined => {
  const liked = products.filter(({ category }) => favourites.includes(category));
  const [first, ...rest] = liked.length > 0 && chance.happens(0.75) ? liked : products;
  return first && chance.pick([first, ...rest]);
};

/** Each event some seconds after the last, and none past the end of the day: the day may be the last one. */
const beginVisit = (day: number, person: Person, chance: Chance) => {
  const entries: Entry[] = [];
  let time = beginningOf(day, person, chance);
  const next = (): string => {
    const now = Math.min(time, (day + 1) * dayMs - 1000);
    time += chance.whole(5, 240) * 1000;
    return new Date(now).toISOString();
  };
  return {
    entries,
    event: (name: string, properties: JsonObject) =>
      entries.push({ array: 'events', value: { ...person.identity, name, time: next(), properties } }),
    purchase: (fields: JsonObject) =>
      entries.push({ array: 'purchases', value: { ...person.identity, ...fields, time: next() } }),
  };
};

type Visit = ReturnType<typeof beginVisit>;

const look = (visit: Visit, person: Person, chance: Chance): void => {
  const product = productFor(person, chance);
  if (!product) return;
  const { id, category } = product;
  const { currency } = person.place;
  const price = priceIn(person.place, product);
  visit.event('product_viewed', { product_id: id, category, price, currency });
  if (!chance.happens(0.35)) return;
  const quantity = chance.happens(0.8) ? 1 : chance.whole(2, 4);
  visit.event('added_to_cart', { product_id: id, category, price, currency, quantity });
  if (person.kind !== 'account' || !chance.happens(0.45)) return;
  visit.purchase({ product_id: id, currency, price, quantity, properties: { category } });
};

export const activityOn = (seed: number, person: Person, day: number): Entry[] => {
  const chance = chanceOf('day', seed, person.index, day);
  if (!chance.happens(person.activity * (isWeekend(day) ? 1.3 : 1))) return [];
  const visit = beginVisit(day, person, chance);
  visit.event('app_opened', { page: chance.pick(pages), device: chance.pick(devices) });
  for (let views = chance.whole(0, 4); views > 0; views--) look(visit, person, chance);
  if (chance.happens(0.1)) visit.event('newsletter_opened', { campaign: `week-${Math.floor(day / 7) % 52}` });
  return visit.entries;
};

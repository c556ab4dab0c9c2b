import { isDate, isEmail, normalizePhone, operationById, timeZone } from '@roster/contract';
import { aJudgeSettings, createLateJudge } from '@roster/judge';
import { isRecord, type JsonObject } from '../json.ts';
import { activityOn, dayOf, priceIn } from './activity.ts';
import { type DemoPlan, demoBatches, peopleOf } from './demo-batches.ts';
import { personOf } from './people.ts';
import { chanceOf } from './random.ts';
import { places, products } from './words.ts';

const now = new Date('2026-11-21T12:00:00Z');
const aPlan = (changes: Partial<DemoPlan> = {}): DemoPlan => ({
  seed: 1,
  people: 100,
  days: 20,
  groups: ['demo-news'],
  now,
  ...changes,
});
const batchesIn = async (changes: Partial<DemoPlan> = {}) => {
  const batches = [];
  for await (const batch of demoBatches(aPlan(changes))) batches.push(batch);
  return batches;
};
const entriesIn = async (changes: Partial<DemoPlan> = {}) =>
  (await batchesIn(changes)).flatMap(({ items }) => items);
const text = (value: unknown): string => String(value);

it('chance is even', () => {
  const chance = chanceOf('even');
  const counts = [0, 0, 0, 0, 0];
  for (let i = 0; i < 5000; i++) counts[chance.whole(0, 4)] = (counts[chance.whole(0, 4)] ?? 0) + 1;
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(chance.some([1, 2, 3, 4], 2)).toHaveLength(2);
});

describe('people', () => {
  const crowd = peopleOf(aPlan({ people: 500 }));
  const accounts = crowd.filter(({ kind }) => kind === 'account').map(({ attributes }) => attributes);

  it('are the same for the same seed, however many there are, and others for another', () => {
    expect(peopleOf(aPlan({ people: 3 }))).toEqual(crowd.slice(0, 3));
    expect(personOf(2, 7).attributes).not.toEqual(crowd[7]?.attributes);
  });

  it('have what fits together', () => {
    for (const { email, time_zone, dob, country, home_city, language } of accounts) {
      expect([isEmail(text(email)), text(email).endsWith('@example.com')]).toEqual([true, true]);
      expect([timeZone(text(time_zone)), isDate(text(dob))]).toEqual([time_zone, true]);
      expect(places).toContainEqual(
        expect.objectContaining({ city: home_city, country, language, timeZone: time_zone }),
      );
    }
    const phones = accounts.flatMap(({ phone }) => (phone === undefined ? [] : [text(phone)]));
    expect(phones.length).toBeGreaterThan(20);
    expect(phones.filter((phone) => normalizePhone(phone) !== phone)).toEqual([]);
  });

  it('have ids and addresses of their own', () => {
    const all = [...crowd, ...peopleOf(aPlan({ seed: 2, people: 500 }))].map(({ identity }) =>
      JSON.stringify(identity),
    );
    expect(new Set(all).size).toBe(1000);
    expect(new Set(accounts.map(({ email }) => email)).size).toBe(accounts.length);
  });

  it('are some of them visitors without an account', () => {
    const kinds = new Set(crowd.map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(['account', 'alias', 'email']));
    expect(personOf(99, 0).kind).toBe('account');
    expect(accounts.length).toBeGreaterThan(400);
  });
});

describe('what they do', () => {
  const today = dayOf(now.getTime());

  it('is on that day, and over before today', async () => {
    const times = (await entriesIn()).flatMap(({ value: { time } }) =>
      time === undefined ? [] : [Date.parse(text(time))],
    );
    expect(times.length).toBeGreaterThan(300);
    expect(times.every((time) => time >= (today - 20) * 86_400_000 && time < today * 86_400_000)).toBe(true);
  });

  it('is more for some people', () => {
    const counts = peopleOf(aPlan({ people: 200 }))
      .map((person) => Array.from({ length: 60 }, (_, i) => activityOn(1, person, today - i - 1).length))
      .map((days) => days.reduce((sum, count) => sum + count, 0))
      .sort((one, other) => other - one);
    const of = (some: number[]) => some.reduce((sum, count) => sum + count, 0);
    expect(of(counts.slice(0, 40))).toBeGreaterThan(0.5 * of(counts));
  });

  it('costs what it would cost there', () => {
    const [tea] = products;
    if (!tea) throw new Error('no products');
    const prices = Object.fromEntries(places.map((place) => [place.currency, priceIn(place, tea)]));
    expect(prices).toEqual({ EUR: 12.9, GBP: 11.1, USD: 14.2, BRL: 77, SEK: 142, JPY: 2060 });
  });

  it('is the same in a later run, save the days that are new', async () => {
    const later = new Date(now.getTime() + 86_400_000);
    const [one, other] = [await batchesIn(), await batchesIn({ now: later })];
    const ids = (batches: typeof one) =>
      batches.map(({ start, items }) => `${start} ${items.map(({ json }) => json)}`);
    const known = new Set(ids(one));
    const fresh = other.filter((_, i) => !known.has(ids(other)[i] ?? ''));
    expect(fresh.length).toBeGreaterThan(0);
    const times = fresh.flatMap(({ items }) => items.map(({ value: { time } }) => text(time).slice(0, 10)));
    expect(new Set(times)).toEqual(new Set(['2026-11-21']));
  });
});

it('is accepted as it is sent', async () => {
  const track = operationById('users.track');
  if (!track) throw new Error('no such operation');
  const judge = createLateJudge();
  const settings = aJudgeSettings({ groups: new Map([['demo-news', 'email']]), apps: new Set() });
  for (const { items } of await batchesIn()) {
    const body: Record<string, JsonObject[]> = {};
    for (const { array, value } of items) body[array] = [...(body[array] ?? []), value];
    const verdict = judge(track, { body }, settings);
    const answer = verdict.ok ? verdict.answer.body : verdict.rejection;
    expect(isRecord(answer) ? answer.errors : answer).toBeUndefined();
  }
});

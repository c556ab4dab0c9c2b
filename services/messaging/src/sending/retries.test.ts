import { freeUntil, pauseAfter, pauseFor } from './retries.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

it.each([
  ['the first pause is the own one', 1, undefined, 5_000],
  ['each is four times as long', 3, undefined, 80_000],
  ['and at most a quarter of an hour', 5, undefined, 15 * minute],
  ['a provider that asks for less gets the own one', 3, 1_000, 80_000],
  ['one that asks for an hour gets it', 1, 60 * minute, 60 * minute],
  ['one that asks for a week gets a day', 5, 7 * day, day],
])('%s', (_, tries, asked, pause) => {
  expect(pauseAfter(tries, 5_000, asked)).toBe(pause);
});

it.each([
  ['ends when the provider says', 0, minute, minute],
  ['is half as long as what was waited already', 10 * minute, minute, 5 * minute],
  ['grows up to a quarter of an hour', 10 * 60 * minute, minute, 15 * minute],
  ['is never longer than a day', 0, 7 * day, day],
])('a pause %s', (_, waited, asked, pause) => {
  expect(pauseFor(waited, asked)).toBe(pause);
});

it.each<[string, object, number]>([
  ['for a day', {}, day],
  ['until the message expires', { expiry: '1970-01-01T01:00:00Z' }, 60 * minute],
  ['for its time to live', { time_to_live: 90 }, 90_000],
  ['for a day at the most', { time_to_live: 7 * 86_400, expiry: '2040-01-01T00:00:00Z' }, day],
])('pauses cost no tries %s', (_, content, ms) => {
  expect(freeUntil(0, content)).toBe(ms);
});

import { pauseAfter } from './retries.ts';

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

import { meaningOf } from './words.ts';

it.each([
  ['STOP', 'stop'],
  [' stop. ', 'stop'],
  ['Unsubscribe!', 'stop'],
  ['start', 'start'],
  ['Help', 'help'],
  ['yes', undefined],
  ['please stop it', undefined],
  ['', undefined],
])('%p means %p', (text, meaning) => {
  expect(meaningOf(text)).toBe(meaning);
});

import type { Batch } from './batches.ts';
import { createPeopleOrder } from './people-order.ts';
import type { ArrayName, JsonObject } from './row.ts';

let count = 0;
const aBatch = (...entries: [ArrayName, JsonObject][]): Batch => ({
  index: count++,
  start: 0,
  end: 0,
  nextLine: 0,
  part: 0,
  rows: entries.length,
  items: entries.map(([array, value]) => ({ array, value, json: '', line: 1 })),
  refusals: [],
  leftOut: [],
});
const ada = { external_id: 'ada' };
const alias = { user_alias: { alias_label: 'crm', alias_name: '7' } };

describe('two batches', () => {
  it.each<[string, [ArrayName, JsonObject], [ArrayName, JsonObject], boolean]>([
    ['attributes of one person', ['attributes', ada], ['attributes', ada], false],
    ['an attribute and then an event', ['attributes', alias], ['events', alias], false],
    ['an event and then an attribute', ['events', ada], ['attributes', ada], false],
    [
      'one email beside two ids',
      ['attributes', { ...ada, email: 'x@example.com' }],
      ['attributes', { email: 'X@example.com' }],
      false,
    ],
    ['events of one person', ['events', ada], ['events', ada], true],
    ['an event and a purchase', ['events', ada], ['purchases', ada], true],
    ['different people', ['attributes', ada], ['attributes', { external_id: 'bob' }], true],
    [
      'an external id and an email that are alike',
      ['attributes', ada],
      ['attributes', { email: 'ada' }],
      true,
    ],
  ])('go at once or one after the other: %s', (_, first, second, together) => {
    const order = createPeopleOrder();
    const [one, other] = [aBatch(first), aBatch(second)];
    order.begin(one);
    expect(order.mayGo(other)).toBe(together);
    order.end(one);
    expect(order.mayGo(other)).toBe(true);
  });
});

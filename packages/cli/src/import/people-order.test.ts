import type { JsonObject } from '../json.ts';
import { createPeopleOrder } from './people-order.ts';
import type { ArrayName } from './row.ts';
import { aBatch, alias as aliasOf, former, named } from './testbed.ts';

const ada = { external_id: 'ada' };
const alias = { user_alias: named('7') };

describe('a batch with further names', () => {
  const before = former(1, 'ada', 'a1');
  const another = aliasOf(1, { ...ada, ...named('7') });
  it.each([
    ['the person', before, ada],
    ['a former id', before, { external_id: 'a1' }],
    ['the person, of an alias', another, ada],
    ['the alias', another, alias],
  ])('goes after and before what is said of %s', (_, name, who) => {
    const naming = aBatch([], { names: [name] });
    const event = aBatch([['events', who]]);
    for (const [first, second] of [
      [naming, event],
      [event, naming],
    ] as const) {
      const order = createPeopleOrder();
      order.begin(first);
      expect(order.mayGo(second)).toBe(false);
      order.end(first);
      expect(order.mayGo(second)).toBe(true);
    }
  });
});

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
    const [one, other] = [aBatch([first]), aBatch([second])];
    order.begin(one);
    expect(order.mayGo(other)).toBe(together);
    order.end(one);
    expect(order.mayGo(other)).toBe(true);
  });
});

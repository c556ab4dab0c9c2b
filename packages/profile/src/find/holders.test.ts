import type { ContactChange } from '../profile.ts';
import {
  contactIn,
  createHolders,
  currentContactKeysOf,
  formerContactKeysOf,
  type Holder,
  hadContact,
  hasContact,
  sharedKeysOf,
} from './holders.ts';

const contacts: ContactChange[] = [
  { c: 'email', v: 'old@b.co', at: 10 },
  { c: 'email', v: null, at: 20 },
  { c: 'email', v: 'new@b.co', at: 30 },
  { c: 'email', v: 'merged@b.co', at: 5, of: 'away' },
];

const holder = (more: Partial<Holder> = {}): Holder => ({
  _id: 'p',
  ws: 'demo',
  updated_at: 1,
  fields: {},
  ...more,
});

const one = holder({ email_key: 'new@b.co', fields: { email: { at: 40, since: 30 } } });
const several = holder({ ...one, contacts });
const phone = holder({ phone_key: '+49:1', fields: { phone: { at: 40 } } });

test.each<[string, Holder, string, [at: number, had: boolean][]]>([
  [
    'one contact, since its stamp',
    one,
    'demo:m:new@b.co',
    [
      [29, false],
      [30, true],
      [50, true],
    ],
  ],
  [
    'one contact, since it was set',
    phone,
    'demo:p:+49:1',
    [
      [39, false],
      [40, true],
    ],
  ],
  [
    'a former contact',
    several,
    'demo:m:old@b.co',
    [
      [9, false],
      [10, true],
      [19, true],
      [20, false],
      [50, false],
    ],
  ],
  [
    'the last of several',
    several,
    'demo:m:new@b.co',
    [
      [20, false],
      [30, true],
    ],
  ],
  [
    'a contact of a person who was merged in',
    several,
    'demo:m:merged@b.co',
    [
      [5, false],
      [50, false],
    ],
  ],
])('says when a person had %s', (_, person, key, moments) => {
  for (const [at, had] of moments) expect([at, hadContact(key, at)(person)]).toEqual([at, had]);
});

test('a key of another kind is no contact', () => {
  const key = 'demo:e:a@b.co';
  expect(contactIn(key)).toBeUndefined();
  expect(hasContact(key)({ ws: 'demo', _id: 'p', updated_at: 1, email_key: 'a@b.co', fields: {} })).toBe(
    false,
  );
});

test('only the current contact is one that a person has', () => {
  expect(['demo:m:old@b.co', 'demo:m:new@b.co'].map((key) => hasContact(key)(several))).toEqual([
    false,
    true,
  ]);
});

test('the keys of a person are those of tokens, of current contacts and of former ones', () => {
  const person = holder({ ...several, phone_key: '+49', token_keys: ['t'] });
  expect(currentContactKeysOf(person)).toEqual(['demo:m:new@b.co', 'demo:p:+49']);
  expect(sharedKeysOf(person)).toEqual(['demo:t:t', 'demo:m:new@b.co', 'demo:p:+49']);
  expect(formerContactKeysOf(person)).toEqual(['demo:m:old@b.co', 'demo:m:new@b.co']);
});

test('the index follows people who get a key and lose it', () => {
  const holders = createHolders();
  holders.add('p', ['one', 'two']);
  holders.add('q', ['one']);
  holders.remove('p', ['one', 'unknown']);
  expect([...(holders.of('one') ?? [])]).toEqual(['q']);
  expect([...(holders.of('two') ?? [])]).toEqual(['p']);
  expect(holders.of('three')).toBeUndefined();
});

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

test.each<[string, Holder, string, had: number[], not: number[]]>([
  ['one contact, since its stamp', one, 'demo:m:new@b.co', [30, 50], [29]],
  ['one contact, since it was set', phone, 'demo:p:+49:1', [40], [39]],
  ['a former contact', several, 'demo:m:old@b.co', [10, 19], [9, 20, 50]],
  ['the last of several', several, 'demo:m:new@b.co', [30], [20]],
  ['a contact of a person who was merged in', several, 'demo:m:merged@b.co', [], [5, 50]],
])('says when a person had %s', (_, person, key, had, not) => {
  const hadAt = (moments: number[]) => moments.filter((at) => hadContact(key, at)(person));
  expect([hadAt(had), hadAt(not)]).toEqual([had, []]);
});

test('a key of another kind is no contact', () => {
  const key = 'demo:e:a@b.co';
  expect(contactIn(key)).toBeUndefined();
  expect(hasContact(key)(holder({ email_key: 'a@b.co' }))).toBe(false);
});

test('only the current contact is one that a person has', () => {
  const keys = ['demo:m:old@b.co', 'demo:m:new@b.co'];
  expect(keys.filter((key) => hasContact(key)(several))).toEqual(['demo:m:new@b.co']);
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

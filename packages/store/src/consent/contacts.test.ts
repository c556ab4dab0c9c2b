import { type Consent, newProfile, statesOf, withSaid } from '@roster/profile';
import { useStore } from '@roster/testkit';
import { openStore } from '../connection/open-store.ts';
import { mostLeavers } from './leavers.ts';

const store = useStore({ open: openStore });

const ws = 'demo';
const said = (at: number): Consent[] => withSaid([], 'email', { v: 'unsubscribed', at });
const readOne = async (key: string) => (await store.contactConsents.read([key])).get(key);
const write = (key: string, consents: Consent[], more: object = {}) =>
  store.transact((session) => store.contactConsents.write(session, [{ key, ws, consents, ...more }]));
const hide = (key: string) => store.transact((session) => store.contactConsents.hide(session, ws, key));
const eraseUpTo = (key: string, at: number) =>
  store.transact((session) => store.contactConsents.eraseUpTo(session, ws, key, at));

describe('statements about contacts', () => {
  it('are read by key, an empty list without any', async () => {
    await write('demo:m:a@b.co', said(1));
    const all = await store.contactConsents.read(['demo:m:a@b.co', 'demo:m:other@b.co']);
    expect([...all]).toEqual([
      ['demo:m:a@b.co', said(1)],
      ['demo:m:other@b.co', []],
    ]);
  });

  it('are found after the name was hidden, also beside later statements, and no name is left', async () => {
    const key = 'demo:m:hidden@b.co';
    await write(key, said(1));
    await hide(key);
    await hide(key);
    expect(await readOne(key)).toEqual(said(1));
    expect(JSON.stringify(await store.contacts.find({}).toArray())).not.toContain('hidden');
    await write(key, said(5));
    expect(await readOne(key)).toMatchObject([{ at: 5, earlier: [{ at: 1 }] }]);
  });

  it('are gone under every name when the last owner is deleted, except later ones', async () => {
    const key = 'demo:m:erased@b.co';
    await write(key, said(1));
    await hide(key);
    await write(key, said(5), { isErased: true });
    expect(await readOne(key)).toEqual(said(5));
    await eraseUpTo(key, 4);
    expect(await readOne(key)).toEqual(said(5));
    await eraseUpTo(key, 5);
    expect(await readOne(key)).toEqual([]);
    expect(await store.contacts.countDocuments({ ws, _id: key })).toBe(0);
  });
});

describe('a statement that was accepted before people left the contact, and applied after', () => {
  let made = 0;

  /** They had one email from 10 to 20, the other from then on; what was said at 15 stands only with the contact. */
  const people = async (most: number) => {
    const [name, other] = [`left-${++made}@b.co`, `other-${made}@b.co`];
    const all = Array.from({ length: most }, (_, n) => ({
      ...newProfile(`leaver-${made}-${n}`, ws, 10),
      email_key: other,
      fields: { email: { v: other, at: 20 } },
      contacts: [
        { c: 'email' as const, v: name, at: 10 },
        { c: 'email' as const, v: other, at: 20 },
      ],
      contacts_at: 20 + n,
    }));
    await store.profiles.insertMany(all);
    const key = `demo:m:${name}`;
    await write(key, withSaid([], 'email', { v: 'opted_in', at: 15 }));
    const stateOf = async (n: number) => {
      const person = await store.profiles.findOne({ _id: all[n]?._id ?? '' });
      return person && statesOf(person, new Map())[0]?.v;
    };
    return { key, stateOf };
  };

  const ways: Record<string, (key: string) => Promise<void>> = {
    'the last owner is deleted': (key) => write(key, [], { isErased: true }),
    'a deleted owner is swept': (key) => eraseUpTo(key, 30),
    'the contact is hidden': hide,
  };
  it.each(Object.entries(ways))('stays with them when %s', async (_, forget) => {
    const { key, stateOf } = await people(1);
    expect(await stateOf(0)).toBeUndefined();
    await forget(key);
    expect(await stateOf(0)).toBe('opted_in');
    expect(JSON.stringify(await store.contacts.find({}).toArray())).not.toContain(key);
  });

  it('stays with those who left last when they are very many', async () => {
    const { key, stateOf } = await people(mostLeavers + 1);
    await eraseUpTo(key, 30);
    expect(await stateOf(0)).toBeUndefined();
    expect(await stateOf(1)).toBe('opted_in');
    expect(await stateOf(mostLeavers)).toBe('opted_in');
  });
});

import { type Consent, withSaid } from '@roster/profile';
import { useStore } from '@roster/testkit';
import { openStore } from './open-store.ts';

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

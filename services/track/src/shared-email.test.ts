import type { AcceptedRequest } from '@roster/contract';
import { groupKey } from '@roster/profile';
import { anEvent, serviceId, shuffled } from '@roster/testkit';
import { insisting, useTrack } from './testbed.ts';

const { store, apply, track, ...bed } = useTrack();

const groups = (subscription_state: string, id = 'news') => ({
  subscription_groups: [{ subscription_group_id: id, subscription_state }],
});

/** So many people with one email. */
const sharers = async (count: number): Promise<{ email: string; ids: string[] }> => {
  const email = `${bed.uniqueId()}@b.co`;
  const ids = Array.from({ length: count }, bed.uniqueId);
  await apply(ids.map((external_id) => bed.attributes({ external_id, email })));
  return { email, ids };
};

describe('people who share an email', () => {
  it('all have the consent that one of them gives, 200 of them, at the cost of one write', async () => {
    const { ids } = await sharers(200);
    const before = await store.profiles.find({ external_id: { $in: ids.slice(1) } }).toArray();
    await track({ external_id: ids[0] ?? '', email_subscribe: 'opted_in', ...groups('subscribed') });
    const all = await Promise.all(ids.map(bed.consentsOf));
    expect(new Set(all.map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify({ email: 'opted_in', [groupKey('news')]: 'subscribed' })]),
    );
    expect(await store.profiles.find({ external_id: { $in: ids.slice(1) } }).toArray()).toEqual(before);
  });

  it('lose no state with an email without statements', async () => {
    const { email, ids } = await sharers(1);
    const [ada = ''] = ids;
    await track({ email, email_subscribe: 'unsubscribed' });
    await track({ external_id: ada, email: `${bed.uniqueId()}@new.co` });
    expect(await bed.consentsOf(ada)).toEqual({ email: 'unsubscribed' });
    await store.contacts.deleteMany({});
    expect(await bed.consentsOf(ada)).toEqual({ email: 'unsubscribed' });
  });

  it('keep it within one batch too, and within one request', async () => {
    const { ids } = await sharers(2);
    const [ada = '', bob = ''] = ids;
    await apply([
      bed.attributes({ external_id: ada, ...groups('subscribed') }),
      bed.attributes({ external_id: bob, email: `${bed.uniqueId()}@new.co` }),
      bed.attributes({ external_id: ada, ...groups('unsubscribed') }),
    ]);
    expect(await bed.consentsOf(bob)).toEqual({ [groupKey('news')]: 'subscribed' });
    expect(await bed.consentsOf(ada)).toEqual({ [groupKey('news')]: 'unsubscribed' });
  });

  it('have the statements that came with the email of a new owner', async () => {
    const { email, ids } = await sharers(1);
    const joiner = bed.uniqueId();
    await track({ external_id: joiner, email, email_subscribe: 'unsubscribed' });
    expect(await bed.consentsOf(ids[0] ?? '')).toEqual({ email: 'unsubscribed' });
  });

  it('have the statements of a person who turns out to have had the email already', async () => {
    const { email, ids } = await sharers(1);
    const joiner = bed.uniqueId();
    await track({ external_id: joiner });
    const [taking, saying] = [
      bed.attributes({ external_id: joiner, email }),
      bed.attributes({ external_id: joiner, email_subscribe: 'unsubscribed' }),
    ];
    await apply([saying]);
    await apply([taking]);
    expect(await bed.consentsOf(ids[0] ?? '')).toEqual({ email: 'unsubscribed' });
  });

  it('end with the last statement, in every order and grouping', async () => {
    const { email, ids } = await sharers(10);
    const said: AcceptedRequest[] = Array.from({ length: 40 }, (_, index) =>
      bed.attributes({
        external_id: ids[index % 10] ?? '',
        email_subscribe: index % 2 ? 'opted_in' : 'unsubscribed',
        ...groups(index === 39 ? 'unsubscribed' : 'subscribed', `g${index % 3}`),
      }),
    );
    const batches = Array.from({ length: 8 }, (_, index) => shuffled(said).slice(index * 2, index * 2 + 12));
    await Promise.all([...batches, ...shuffled(said).map((one) => [one])].map(insisting(apply)));
    const expected = {
      email: 'opted_in',
      [groupKey('g0')]: 'unsubscribed',
      [groupKey('g1')]: 'subscribed',
      [groupKey('g2')]: 'subscribed',
    };
    for (const id of ids) expect(await bed.consentsOf(id)).toEqual(expected);
    const stamps = (await bed.saidOf(email)).map(({ k, at }) => [k, at]);
    expect(Object.fromEntries(stamps)).toEqual({
      email: said[39]?.at,
      [groupKey('g0')]: said[39]?.at,
      [groupKey('g1')]: said[37]?.at,
      [groupKey('g2')]: said[38]?.at,
    });
  });

  it('and are the first with a statement, many at once, are all heard', async () => {
    const { ids } = await sharers(8);
    await Promise.all(
      ids.map((external_id, index) => track({ external_id, ...groups('subscribed', `g${index}`) })),
    );
    const expected = Object.fromEntries(ids.map((_, index) => [groupKey(`g${index}`), 'subscribed']));
    for (const id of ids) expect(await bed.consentsOf(id)).toEqual(expected);
  });

  it('are told apart by workspace', async () => {
    const { email, ids } = await sharers(1);
    await apply([
      bed.request(
        { attributes: [{ external_id: 'x', email, email_subscribe: 'unsubscribed' }] },
        { ws: 'other' },
      ),
    ]);
    expect(await bed.consentsOf(ids[0] ?? '')).toEqual({});
  });
});

describe('one of several people with an email', () => {
  it('gets the update: of the identified ones the most recently updated, else the most recently updated', async () => {
    const { email, ids } = await sharers(2);
    const [ada = '', bob = ''] = ids;
    await track({ external_id: ada, seen: true });
    await track({ email, hit: 1, email_subscribe: 'opted_in' });
    expect((await bed.profileOf(ada)).custom_attributes).toEqual({ seen: true, hit: 1 });
    expect((await bed.profileOf(bob)).custom_attributes).toEqual({});
    expect(await bed.consentsOf(bob)).toEqual({ email: 'opted_in' });
  });

  it.each(['purchases', 'events'] as const)(
    'of 300 is found by its last of %s, though it was changed before all others',
    async (kind) => {
      const { email, ids } = await sharers(300);
      const [ada = ''] = ids;
      bed.pass(60);
      const time = new Date(bed.now() / 1000 - 5000).toISOString();
      await apply([bed[kind]({ external_id: ada, time })]);
      await track({ email, hit: 1 });
      expect((await bed.profileOf(ada)).custom_attributes).toEqual({ hit: 1 });
    },
  );

  it('counts events of profiles that were merged into it', async () => {
    const { email, ids } = await sharers(2);
    const [ada = ''] = ids;
    const absorbed = serviceId(`absorbed-${ada}`);
    await bed.absorb(ada, absorbed);
    await store.events.insert([anEvent(absorbed, { time: new Date(bed.now() / 1000 + 60_000) })]);
    bed.pass(120);
    await track({ email, hit: 1 });
    expect((await bed.profileOf(ada)).custom_attributes).toEqual({ hit: 1 });
  });
});

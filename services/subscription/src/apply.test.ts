import type { AcceptedRequest } from '@roster/contract';
import { identityKey } from '@roster/profile';
import type { Store } from '@roster/store';
import { type TestStore, testStore } from '@roster/testkit';
import { type Apply, createApply } from './apply.ts';
import { createTestbed, type Testbed } from './testbed.ts';

jest.setTimeout(60_000);

let test: TestStore;
let store: Store;
let apply: Apply;
let bed: Testbed;

beforeAll(async () => {
  test = await testStore();
  store = test.store;
  apply = createApply({ store });
  bed = createTestbed(store);
  await store.workspaces.put({ id: 'demo', subscription_groups: [{ id: 'alerts', channel: 'sms' }] });
});
afterAll(() => test.close());

const shuffled = <One>(all: readonly One[]): One[] =>
  all
    .map((one) => ({ one, dice: Math.random() }))
    .toSorted((a, b) => a.dice - b.dice)
    .map(({ one }) => one);

const person = async (): Promise<{ id: string; email: string; phone: string }> => {
  const [id, email] = [bed.somebody(), bed.anEmail()];
  const phone = `+1500555${String(bed.now()).slice(-7, -3)}`;
  await bed.store([{ external_id: id, email, phone }]);
  return { id, email, phone };
};

describe('a state', () => {
  it('is set by external id, by email, and by phone for an SMS group', async () => {
    const { id, email, phone } = await person();
    await apply([bed.v1('subscribed', { external_id: id })]);
    expect(await bed.statesOf(id)).toEqual({ news: 'subscribed' });
    await apply([bed.v2('unsubscribed', { emails: email.toUpperCase() })]);
    expect(await bed.statesOf(id)).toEqual({ news: 'unsubscribed' });
    await apply([bed.v1('subscribed', { subscription_group_id: 'alerts', phone: [phone] })]);
    expect(await bed.statesOf(id)).toEqual({ news: 'unsubscribed', alerts: 'subscribed' });
  });

  it('by the external id of one reaches everybody with their email, at the cost of two writes', async () => {
    const [email, ada, bob] = [bed.anEmail(), bed.somebody(), bed.somebody()];
    await bed.store([ada, bob].map((external_id) => ({ external_id, email })));
    const before = await bed.profileOf(bob);
    await apply([bed.v1('unsubscribed', { external_id: ada })]);
    expect(await bed.statesOf(bob)).toEqual({ news: 'unsubscribed' });
    expect(await bed.profileOf(bob)).toEqual(before);
  });

  it('of text messages by the external id of one is theirs, whoever shares their email', async () => {
    const [email, ada, bob] = [bed.anEmail(), bed.somebody(), bed.somebody()];
    await bed.store([ada, bob].map((external_id) => ({ external_id, email })));
    await apply([bed.v1('unsubscribed', { subscription_group_id: 'alerts', external_id: ada })]);
    expect([await bed.statesOf(ada), await bed.statesOf(bob)]).toEqual([{ alerts: 'unsubscribed' }, {}]);
  });

  it('by an external id that nobody has changes nothing, and is told so', async () => {
    const { id } = await person();
    const [entries] = await apply([bed.v1('subscribed', { external_id: ['nobody at all', id] })]);
    expect(entries).toEqual({ external_ids: ['ignored:no_such_user', 'updated'] });
  });

  it('is the last accepted one, whatever is applied first, in whatever company', async () => {
    const { id, email } = await person();
    const requests = Array.from({ length: 30 }, (_, index): AcceptedRequest => {
      const state = index % 3 === 0 ? 'subscribed' : 'unsubscribed';
      if (index % 2) return bed.v1(state, { external_id: id });
      return bed.v2(state, { emails: [email] });
    });
    const batches = [shuffled(requests).slice(0, 15), ...shuffled(requests).map((one) => [one])].values();
    const worker = async () => {
      for (const batch of batches) await apply(batch);
    };
    await Promise.all([worker(), worker(), worker()]);
    expect(await bed.statesOf(id)).toEqual({ news: 'unsubscribed' });
    const history = await bed.historyOf(id);
    for (const [index, [from]] of history.entries()) expect(from).toBe(history[index - 1]?.[1] ?? null);
    expect(history.at(-1)?.[1]).toBe('unsubscribed');
    expect(new Set(history.map(([, , at]) => at)).size).toBe(history.length);
  });
});

describe('50 emails, each shared by 200 people, in one request', () => {
  it('reach all of them with 50 writes, once', async () => {
    const emails = Array.from({ length: 50 }, bed.anEmail);
    const ids = emails.flatMap((email) =>
      Array.from({ length: 200 }, () => ({ email, external_id: bed.somebody() })),
    );
    await bed.store(ids);
    const request = bed.v2('unsubscribed', { emails });
    const started = performance.now();
    await Promise.all([apply([request]), apply([request])]);
    expect(performance.now() - started).toBeLessThan(5_000);
    for (const { external_id } of ids.filter((_, index) => index % 97 === 0))
      expect(await bed.statesOf(external_id)).toEqual({ news: 'unsubscribed' });
    const rows = await store.consents.find({ request: request.id }).toArray();
    expect(rows).toHaveLength(50);
    expect(await store.profiles.countDocuments({ updated_at: request.at })).toBe(0);
  });
});

describe('about an email that nobody has', () => {
  it('a state is kept and taken over by whoever comes with it within 30 days', async () => {
    const [email, id] = [bed.anEmail(), bed.somebody()];
    const said = bed.v1('unsubscribed', { email });
    await apply([said]);
    expect(await bed.saidOf(email)).toMatchObject([{ orphan: true }]);
    bed.pass(29);
    await bed.store([{ external_id: id, email }]);
    expect(await bed.statesOf(id)).toEqual({ news: 'unsubscribed' });
    expect(await bed.historyOf(id)).toEqual([[null, 'unsubscribed', said.at]]);
  });

  it('one that was accepted before somebody had it is theirs, though it is applied later', async () => {
    const [email, id] = [bed.anEmail(), bed.somebody()];
    const said = bed.v1('unsubscribed', { email });
    await bed.store([{ external_id: id, email }]);
    await apply([said]);
    expect(await bed.statesOf(id)).toEqual({ news: 'unsubscribed' });
  });

  it('is for whoever comes first only: later ones have had no part in it', async () => {
    const [email, first, second] = [bed.anEmail(), bed.somebody(), bed.somebody()];
    await bed.store([{ external_id: first, email }]);
    await apply([bed.v1('unsubscribed', { email })]);
    await bed.store([{ external_id: second, email }]);
    expect(await bed.statesOf(first)).toEqual({ news: 'unsubscribed' });
    expect(await bed.statesOf(second)).toEqual({});
  });

  it('because they were deleted since it was accepted, nothing is kept', async () => {
    const email = bed.anEmail();
    const said = bed.v1('subscribed', { email });
    await store.tombstones.write([
      {
        ws: 'demo',
        key: identityKey('demo', { by: 'email', email }),
        at: bed.nextStamp(),
        expires: new Date(Date.now() + 60_000),
      },
    ]);
    const [entries] = await apply([said]);
    expect(entries).toEqual({ emails: ['ignored:deleted'] });
    expect(await bed.saidOf(email)).toEqual([]);
    await apply([bed.v1('subscribed', { email })]);
    expect(await bed.saidOf(email)).toHaveLength(1);
  });

  it('because they were merged away since it was accepted, it is theirs all the same', async () => {
    const [email, id] = [bed.anEmail(), bed.somebody()];
    const said = bed.v1('unsubscribed', { email });
    const [kept] = await bed.store([{ external_id: id }]);
    const [at, expires] = [bed.nextStamp(), new Date(Date.now() + 60_000)];
    const away = `away-${id}`;
    const led = { ws: 'demo', at, expires };
    await store.tombstones.write([
      { ...led, key: identityKey('demo', { by: 'email', email }), to: away },
      { ...led, key: identityKey('demo', { by: 'service_id', id: away }), to: kept?._id ?? '' },
    ]);
    await store.consents.insertOne(bed.leaving(away, email, said.at, at));
    await apply([said]);
    expect(await bed.statesOf(id)).toEqual({ news: 'unsubscribed' });
    expect(await bed.historyOf(id)).toEqual([[null, 'unsubscribed', said.at]]);
  });
});

describe('about an email that somebody has left since it was accepted', () => {
  it('a state is theirs, and not that of the email they have now', async () => {
    const [id, other] = [bed.somebody(), bed.somebody()];
    const [before, after] = [bed.anEmail(), bed.anEmail()];
    const since = bed.nextStamp();
    const said = bed.v1('unsubscribed', { email: before });
    const [profile] = await bed.store([
      { external_id: id, email: after },
      { external_id: other, email: after },
    ]);
    await store.consents.insertOne(bed.leaving(profile?._id ?? '', before, since, bed.now()));
    await apply([said]);
    expect(await bed.statesOf(id)).toEqual({ news: 'unsubscribed' });
    expect(await bed.statesOf(other)).toEqual({});
    expect(await bed.historyOf(id)).toEqual([[null, 'unsubscribed', said.at]]);
  });
});

describe('the history', () => {
  it('has one row for each change, however often a job is repeated, and none for a repetition', async () => {
    const { id } = await person();
    const requests = (['subscribed', 'subscribed', 'unsubscribed'] as const).map((state) =>
      bed.v1(state, { external_id: id }),
    );
    for (const request of requests) await apply([request]);
    await apply(requests);
    const [first, , third] = requests;
    expect(await bed.historyOf(id)).toEqual([
      [null, 'subscribed', first?.at],
      ['subscribed', 'unsubscribed', third?.at],
    ]);
    expect(await store.consents.countDocuments({ profile: (await bed.profileOf(id))._id })).toBe(2);
  });

  it('says by which request and by which operation', async () => {
    const { id, email } = await person();
    const request = bed.v2('subscribed', { emails: email });
    await apply([request]);
    const [change] = (await store.consentHistory.find('demo', { by: 'external_id', id })) ?? [];
    expect(change).toMatchObject({ request: request.id, op: 'subscription.status.set.v2', k: 'group:news' });
  });

  it('of an email is what was said about it', async () => {
    const { email } = await person();
    await apply([bed.v2('subscribed', { emails: email })]);
    await apply([bed.v2('unsubscribed', { emails: email })]);
    const found = await store.consentHistory.find('demo', { by: 'email', email });
    expect(found?.map(({ to }) => to)).toEqual(['unsubscribed', 'subscribed']);
  });

  it('of somebody who was merged away goes on with the one they were merged into, also by their old service id', async () => {
    const [away, kept] = [await person(), await person()];
    const said = bed.v1('unsubscribed', { external_id: away.id });
    await apply([said]);
    const gone = await bed.profileOf(away.id);
    await store.profiles.deleteOne({ _id: gone._id });
    await store.profiles.updateOne(
      { _id: (await bed.profileOf(kept.id))._id },
      { $set: { absorbed: [gone._id], consents: gone.consents } },
    );
    expect(await bed.historyOf(kept.id)).toEqual([[null, 'unsubscribed', said.at]]);
    const found = await store.consentHistory.find('demo', { by: 'service_id', id: gone._id });
    expect(found?.map(({ at }) => at)).toEqual([said.at]);
  });

  it('of another workspace is not seen', async () => {
    const { id } = await person();
    await apply([bed.v1('subscribed', { external_id: id })]);
    const profile = await bed.profileOf(id);
    expect(await store.consentHistory.find('other', { by: 'service_id', id: profile._id })).toBeUndefined();
    expect(await store.consentHistory.find('other', { by: 'external_id', id })).toBeUndefined();
  });
});

describe('what is left of somebody who is erased', () => {
  const erased = async () => {
    const { id, email } = await person();
    await apply([bed.v1('subscribed', { external_id: id })]);
    await apply([bed.v1('unsubscribed', { email })]);
    const { _id } = await bed.profileOf(id);
    const keys = [
      identityKey('demo', { by: 'external_id', id }),
      identityKey('demo', { by: 'email', email }),
    ];
    await store.profiles.deleteOne({ _id });
    await store.identities.deleteOne({ _id: keys[0] ?? '' });
    await store.addresses.deleteOne({ _id: keys[1] ?? '' });
    return { id, email, erased: { ws: 'demo', profiles: [_id], keys, at: bed.now() } };
  };

  it('is nothing', async () => {
    const { id, email, erased: somebody } = await erased();
    await store.consentHistory.forget(somebody, false);
    await store.consentHistory.forget(somebody, false);
    expect(await store.consentHistory.find('demo', { by: 'external_id', id })).toBeUndefined();
    const [profile = ''] = somebody.profiles;
    expect(await store.consents.countDocuments({ $or: [{ profile }, { address: `demo:m:${email}` }] })).toBe(
      0,
    );
  });

  it('is, where proof is kept, what nobody can read a name from, for whoever knows the name', async () => {
    const { id, email, erased: somebody } = await erased();
    await store.consentHistory.forget(somebody, true);
    await store.consentHistory.forget(somebody, true);
    const found = await store.consentHistory.find('demo', { by: 'external_id', id });
    expect(found?.map(({ to }) => to)).toEqual(['unsubscribed', 'subscribed']);
    const kept = await store.consents.find({ proof: { $exists: true } }).toArray();
    for (const name of [id, email, ...somebody.profiles])
      expect(JSON.stringify(kept)).not.toContain(`"${name}"`);
    expect(kept.some((row) => row.profile !== undefined || row.address !== undefined)).toBe(false);
  });

  it('leaves alone what others with the same email have', async () => {
    const [email, ada, bob] = [bed.anEmail(), bed.somebody(), bed.somebody()];
    const [first] = await bed.store([ada, bob].map((external_id) => ({ external_id, email })));
    await apply([bed.v1('subscribed', { external_id: ada })]);
    const gone = { ws: 'demo', profiles: [first?._id ?? ''], keys: [`demo:e:${ada}`], at: bed.now() };
    await store.consentHistory.forget(gone, false);
    expect((await bed.historyOf(bob)).map(([, to]) => to)).toEqual(['subscribed']);
    expect(await store.consents.countDocuments({ profile: first?._id ?? '' })).toBe(0);
  });
});

import type { AcceptedRequest } from '@roster/contract';
import { identityKey } from '@roster/profile';
import { inLongRuns, later, shuffled, useStore } from '@roster/testkit';
import { createApply } from './apply.ts';
import { addAlerts, createTestbed } from './testbed.ts';

const store = useStore();
const apply = later(() => createApply({ store }));
const bed = createTestbed(store);
beforeAll(() => addAlerts(store));

describe('a state', () => {
  it('is set by external id, by email, and by phone for an SMS group', async () => {
    const { id, email, phone } = await bed.person();
    await apply([bed.v1('subscribed', { external_id: id })]);
    expect(await bed.statesOf(id)).toEqual({ news: 'subscribed' });
    await apply([bed.v2('unsubscribed', { emails: email.toUpperCase() })]);
    expect(await bed.statesOf(id)).toEqual({ news: 'unsubscribed' });
    await apply([bed.v1('subscribed', { subscription_group_id: 'alerts', phone: [phone] })]);
    expect(await bed.statesOf(id)).toEqual({ news: 'unsubscribed', alerts: 'subscribed' });
  });

  it('by the external id of one reaches all people with their email, at the cost of two writes', async () => {
    const [email, ada, bob] = [bed.anEmail(), bed.uniqueId(), bed.uniqueId()];
    await bed.store([ada, bob].map((external_id) => ({ external_id, email })));
    const before = await bed.profileOf(bob);
    await apply([bed.v1('unsubscribed', { external_id: ada })]);
    expect(await bed.statesOf(bob)).toEqual({ news: 'unsubscribed' });
    expect(await bed.profileOf(bob)).toEqual(before);
  });

  it('is the last accepted one, in every order and every grouping', async () => {
    const { id, email } = await bed.person();
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
      Array.from({ length: 200 }, () => ({ email, external_id: bed.uniqueId() })),
    );
    await bed.store(ids);
    const request = bed.v2('unsubscribed', { emails });
    const started = performance.now();
    await Promise.all([apply([request]), apply([request])]);
    inLongRuns(() => expect(performance.now() - started).toBeLessThan(5_000));
    for (const { external_id } of ids.filter((_, index) => index % 97 === 0))
      expect(await bed.statesOf(external_id)).toEqual({ news: 'unsubscribed' });
    expect(await store.contacts.countDocuments({ 'consents.at': request.at })).toBe(50);
    expect(await store.profiles.countDocuments({ updated_at: request.at })).toBe(0);
  });
});

describe('about an email without an owner', () => {
  it('a state is kept, and counts for all people who get the email', async () => {
    const [email, first, second] = [bed.anEmail(), bed.uniqueId(), bed.uniqueId()];
    await apply([bed.v1('unsubscribed', { email })]);
    bed.pass(400);
    for (const external_id of [first, second]) {
      const at = bed.nextStamp();
      await bed.store([{ external_id, email }], at);
      expect(await bed.statesOf(external_id)).toEqual({ news: 'unsubscribed' });
      expect(await bed.historyOf(external_id)).toEqual([[null, 'unsubscribed', at]]);
    }
  });

  it('because its owner was deleted since it was accepted, nothing is kept', async () => {
    const email = bed.anEmail();
    const said = bed.v1('subscribed', { email });
    const key = identityKey('demo', { by: 'email', email });
    const expires = new Date(Date.now() + 60_000);
    await store.tombstones.write([{ ws: 'demo', key, at: bed.nextStamp(), expires }]);
    const [applied] = await apply([said]);
    expect(applied?.entries).toEqual({ emails: ['ignored:deleted'] });
    expect(await bed.saidOf(email)).toEqual([]);
    await apply([bed.v1('subscribed', { email })]);
    expect(await bed.saidOf(email)).toHaveLength(1);
  });
});

describe('the history', () => {
  it('has each change once, however often a job is repeated, and no repetition', async () => {
    const { id } = await bed.person();
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
  });

  it('has the request and the operation of each change', async () => {
    const { id, email } = await bed.person();
    const request = bed.v2('subscribed', { emails: email });
    await apply([request]);
    const [change] = (await store.consentHistory.find('demo', { by: 'external_id', id })) ?? [];
    expect(change).toMatchObject({ at: request.at, op: 'subscription.status.set.v2', k: 'group:news' });
  });

  it('of an email has the statements about it', async () => {
    const { email } = await bed.person();
    await apply([bed.v2('subscribed', { emails: email })]);
    await apply([bed.v2('unsubscribed', { emails: email })]);
    const found = await store.consentHistory.find('demo', { by: 'email', email });
    expect(found?.map(({ to }) => to)).toEqual(['unsubscribed', 'subscribed']);
  });

  it('of another workspace is invisible', async () => {
    const { id } = await bed.person();
    await apply([bed.v1('subscribed', { external_id: id })]);
    const profile = await bed.profileOf(id);
    expect(await store.consentHistory.find('other', { by: 'service_id', id: profile._id })).toBeUndefined();
    expect(await store.consentHistory.find('other', { by: 'external_id', id })).toBeUndefined();
  });
});

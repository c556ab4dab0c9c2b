import { later, useStore } from '@roster/testkit';
import { createApply } from './apply.ts';
import { createOrphanSweep } from './orphans.ts';
import { createTestbed } from './testbed.ts';

const store = useStore();
const apply = later(() => createApply({ store }));
const bed = createTestbed(store);
beforeEach(() => store.contacts.deleteMany({}));

const dayMs = 24 * 3600 * 1000;

const sweepAfter = (days: number, most = 10_000) =>
  createOrphanSweep({ store, now: () => new Date(Date.now() + days * dayMs), most })();

describe('statements about contacts without an owner', () => {
  it('go after 30 days, and not before', async () => {
    const email = bed.anEmail();
    await apply([bed.v1('subscribed', { email })]);
    expect(await sweepAfter(29.9)).toBe(0);
    expect(await bed.saidOf(email)).toHaveLength(1);
    expect(await sweepAfter(30.1)).toBe(1);
    expect(await bed.saidOf(email)).toEqual([]);
    expect(await sweepAfter(30.1)).toBe(0);
  });

  it('stay for good when they are "unsubscribed"', async () => {
    const [email, id] = [bed.anEmail(), bed.uniqueId()];
    await apply([bed.v1('subscribed', { email })]);
    await apply([bed.v1('unsubscribed', { email })]);
    expect(await sweepAfter(31)).toBe(1);
    expect(await sweepAfter(3_000)).toBe(0);
    await bed.store([{ external_id: id, email }]);
    expect(await bed.statesOf(id)).toEqual({ news: 'unsubscribed' });
  });

  it('stay when a person gets the contact in time, for all owners', async () => {
    const [email, first, second] = [bed.anEmail(), bed.uniqueId(), bed.uniqueId()];
    await apply([bed.v1('subscribed', { email })]);
    await bed.store([{ external_id: first, email }]);
    expect(await sweepAfter(31)).toBe(1);
    expect(await sweepAfter(62)).toBe(0);
    await bed.store([{ external_id: second, email }]);
    for (const id of [first, second]) expect(await bed.statesOf(id)).toEqual({ news: 'subscribed' });
  });

  it('stay with a person who had left the contact before they were applied', async () => {
    const [email, id] = [bed.anEmail(), bed.uniqueId()];
    const [person] = await bed.store([{ external_id: id, email }]);
    const said = bed.nextStamp();
    const other = bed.anEmail();
    const changes = [email, other].map((v, n) => ({ c: 'email' as const, v, at: said + n - 1 }));
    const moved = { email_key: other, 'fields.email': { v: other, at: said }, contacts: changes };
    await store.profiles.updateOne({ _id: person?._id ?? '' }, { $set: { ...moved, contacts_at: said } });
    await apply([bed.v1('subscribed', { email }, said - 1)]);
    expect(await bed.statesOf(id)).toEqual({ news: 'subscribed' });
    expect(await sweepAfter(31)).toBe(1);
    expect(await bed.saidOf(email)).toEqual([]);
    expect(await bed.statesOf(id)).toEqual({ news: 'subscribed' });
  });

  it('are not checked when a person with the contact made them', async () => {
    const [email, id] = [bed.anEmail(), bed.uniqueId()];
    await bed.store([{ external_id: id, email }]);
    await apply([bed.v1('subscribed', { external_id: id })]);
    expect(await sweepAfter(31)).toBe(0);
    expect(await bed.saidOf(email)).toHaveLength(1);
  });

  it('are decided once, though two sweeps run at the same time and one stopped half way', async () => {
    const emails = Array.from({ length: 250 }, bed.anEmail);
    for (let from = 0; from < emails.length; from += 50)
      await apply([bed.v1('subscribed', { email: emails.slice(from, from + 50) })]);
    await sweepAfter(31, 100);
    expect(await store.contacts.countDocuments()).toBe(150);
    await Promise.all([sweepAfter(31), sweepAfter(31)]);
    expect(await store.contacts.countDocuments()).toBe(0);
  });
});

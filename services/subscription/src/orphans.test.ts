import { useStore } from '@roster/testkit';
import { type Apply, createApply } from './apply.ts';
import { createOrphanSweep } from './orphans.ts';
import { createTestbed, type Testbed } from './testbed.ts';

jest.setTimeout(60_000);

const store = useStore({ forEach: true });
let apply: Apply;
let bed: Testbed;

beforeEach(async () => {
  apply = createApply({ store });
  bed = createTestbed(store);
});

const dayMs = 24 * 3600 * 1000;

const sweepAfter = (days: number, most = 10_000) =>
  createOrphanSweep({ store, now: () => new Date(Date.now() + days * dayMs), most })();

describe('what was said of contacts that nobody has', () => {
  it('goes after 30 days, and not before', async () => {
    const email = bed.anEmail();
    await apply([bed.v1('subscribed', { email })]);
    expect(await sweepAfter(29.9)).toBe(0);
    expect(await bed.saidOf(email)).toHaveLength(1);
    expect(await sweepAfter(30.1)).toBe(1);
    expect(await bed.saidOf(email)).toEqual([]);
    expect(await sweepAfter(30.1)).toBe(0);
  });

  it('stays for good where they want nothing', async () => {
    const [email, id] = [bed.anEmail(), bed.somebody()];
    await apply([bed.v1('subscribed', { email })]);
    await apply([bed.v1('unsubscribed', { email })]);
    expect(await sweepAfter(31)).toBe(1);
    expect(await sweepAfter(3_000)).toBe(0);
    await bed.store([{ external_id: id, email }]);
    expect(await bed.statesOf(id)).toEqual({ news: 'unsubscribed' });
  });

  it('stays when somebody came in time, for everybody', async () => {
    const [email, first, second] = [bed.anEmail(), bed.somebody(), bed.somebody()];
    await apply([bed.v1('subscribed', { email })]);
    await bed.store([{ external_id: first, email }]);
    expect(await sweepAfter(31)).toBe(1);
    expect(await sweepAfter(62)).toBe(0);
    await bed.store([{ external_id: second, email }]);
    for (const id of [first, second]) expect(await bed.statesOf(id)).toEqual({ news: 'subscribed' });
  });

  it('is not looked at when a person said it who has the contact', async () => {
    const [email, id] = [bed.anEmail(), bed.somebody()];
    await bed.store([{ external_id: id, email }]);
    await apply([bed.v1('subscribed', { external_id: id })]);
    expect(await sweepAfter(31)).toBe(0);
    expect(await bed.saidOf(email)).toHaveLength(1);
  });

  it('is decided once, though two sweep at the same time and one was left half way', async () => {
    const emails = Array.from({ length: 250 }, bed.anEmail);
    for (let from = 0; from < emails.length; from += 50)
      await apply([bed.v1('subscribed', { email: emails.slice(from, from + 50) })]);
    await sweepAfter(31, 100);
    expect(await store.contacts.countDocuments()).toBe(150);
    await Promise.all([sweepAfter(31), sweepAfter(31)]);
    expect(await store.contacts.countDocuments()).toBe(0);
  });
});

import { openStore, type Store } from '@roster/store';
import { type TestServer, testMongo } from '@roster/testkit';
import { type Apply, createApply } from './apply.ts';
import { createOrphanSweep } from './orphans.ts';
import { createTestbed, type Testbed } from './testbed.ts';

jest.setTimeout(60_000);

let server: TestServer;
let store: Store;
let apply: Apply;
let bed: Testbed;

beforeEach(async () => {
  server = await testMongo();
  store = await openStore({
    url: server.url,
    appName: 'orphans-test',
    secret: 'a secret of this test',
    patienceMs: 10_000,
    ensureIndexes: true,
  });
  apply = createApply({ store });
  bed = createTestbed(store);
});
afterEach(async () => {
  await store.close();
  await server.close();
});

const sweep = (isPast = true, most = 10_000) =>
  createOrphanSweep({ store, now: async () => bed.now(), isPast: async () => isPast, most })();

describe('statements about addresses that nobody had', () => {
  it('go after 30 days when nobody came, and not before', async () => {
    const email = bed.anEmail();
    await apply([bed.v1('unsubscribed', { email })]);
    bed.pass(29.9);
    expect(await sweep()).toBe(0);
    expect(await bed.saidOf(email)).toHaveLength(1);
    bed.pass(0.2);
    expect(await sweep()).toBe(1);
    expect(await bed.saidOf(email)).toEqual([]);
    expect(await sweep()).toBe(0);
  });

  it('stay with whoever came in time, and reach nobody else', async () => {
    const [email, first, second] = [bed.anEmail(), bed.somebody(), bed.somebody()];
    await apply([bed.v1('unsubscribed', { email })]);
    bed.pass(20);
    await bed.store([{ external_id: first, email }]);
    bed.pass(11);
    await bed.store([{ external_id: second, email }]);
    expect(await sweep()).toBe(1);
    expect(await sweep()).toBe(0);
    expect(await bed.statesOf(first)).toEqual({ news: 'unsubscribed' });
    expect(await bed.statesOf(second)).toEqual({});
    expect((await bed.historyOf(first)).map(([, to]) => to)).toEqual(['unsubscribed']);
  });

  it('go one by one: what was said later about the same address stays', async () => {
    const email = bed.anEmail();
    await apply([bed.v1('unsubscribed', { email })]);
    bed.pass(20);
    await store.addresses.updateOne(
      { _id: `demo:m:${email}` },
      { $push: { consents: { k: 'group:other', v: 'subscribed', at: bed.now(), orphan: true } } },
    );
    bed.pass(11);
    expect(await sweep()).toBe(1);
    expect((await bed.saidOf(email)).map(({ k }) => k)).toEqual(['group:other']);
  });

  it('wait while something is queued that may give somebody the address', async () => {
    const email = bed.anEmail();
    await apply([bed.v1('unsubscribed', { email })]);
    bed.pass(31);
    expect(await sweep(false)).toBe(0);
    expect(await bed.saidOf(email)).toHaveLength(1);
  });

  it('are decided once, though two sweep at the same time and one was left half way', async () => {
    const emails = Array.from({ length: 250 }, bed.anEmail);
    for (let from = 0; from < emails.length; from += 50)
      await apply([bed.v1('subscribed', { email: emails.slice(from, from + 50) })]);
    bed.pass(31);
    await sweep(true, 100);
    expect(await store.addresses.countDocuments()).toBe(150);
    await Promise.all([sweep(), sweep()]);
    expect(await store.addresses.countDocuments()).toBe(0);
  });
});

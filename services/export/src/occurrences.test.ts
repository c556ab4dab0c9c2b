import { decimal } from '@roster/store';
import { anEvent, aPurchase, inLongRuns, serviceId, useStore } from '@roster/testkit';
import { aPerson, at, createTestbed } from './testbed.ts';

const test = createTestbed(useStore());
const now = at / 1000;
const day = 24 * 3600 * 1000;
const edge = now - 90 * day;
const iso = (ms: number): string => new Date(ms).toISOString();

const event = (person: string, name: string, ms: number) =>
  anEvent(serviceId(person), { name, at, time: new Date(ms) });
const purchase = (person: string, product_id: string, revenue?: string, ms = now - day) =>
  aPurchase(serviceId(person), {
    ...{ product_id, at, time: new Date(ms) },
    ...(revenue !== undefined && { revenue: decimal(revenue) }),
  });

beforeAll(async () => {
  const named = (external_id: string, absorbed?: string[]) =>
    aPerson({
      _id: serviceId(`p-${external_id}`),
      external_id,
      ...(absorbed && { absorbed: absorbed.map(serviceId) }),
    });
  await test.add(named('edge'), named('merged', ['p-away', 'p-far']), named('spender'), named('busy'));
});

const exported = async (external_id: string, fields_to_export: string[], stamp = at) =>
  (await test.ask({ external_ids: [external_id], fields_to_export }, { stamp })).users[0];

describe('custom_events and purchases', () => {
  it('hold what happened in the 90 days before the request, to the millisecond', async () => {
    await test.store.events.insert([
      event('p-edge', 'too old', edge - 1),
      event('p-edge', 'just', edge),
      event('p-edge', 'both', edge - 1),
      event('p-edge', 'both', edge + 1),
      event('p-edge', 'both', now),
    ]);
    await test.store.purchases.insert([
      purchase('p-edge', 'old tea', '1', edge - 1),
      { ...purchase('p-edge', 'tea', '1', edge), quantity: 3 },
    ]);
    expect(await exported('edge', ['custom_events', 'purchases'])).toEqual({
      custom_events: [
        { name: 'both', first: iso(edge + 1), last: iso(now), count: 2 },
        { name: 'just', first: iso(edge), last: iso(edge), count: 1 },
      ],
      // A quantity is that many purchases.
      purchases: [{ name: 'tea', first: iso(edge), last: iso(edge), count: 3 }],
    });
    // A millisecond later than that, one more has become too old.
    expect(await exported('edge', ['purchases'], at + 1000)).toEqual({ purchases: [] });
    expect(await exported('edge', ['purchases'], at + 999)).toMatchObject({ purchases: [{ name: 'tea' }] });
  });

  it('hold those of all people merged into the person, as one', async () => {
    await test.store.events.insert([
      event('p-merged', 'seen', now - 5000),
      event('p-away', 'seen', now - 9000),
      event('p-far', 'seen', now - 1000),
      event('p-far', 'only far', now - 2000),
      event('p-other', 'seen', now - 20_000),
    ]);
    expect(await exported('merged', ['custom_events'])).toEqual({
      custom_events: [
        { name: 'only far', first: iso(now - 2000), last: iso(now - 2000), count: 1 },
        { name: 'seen', first: iso(now - 9000), last: iso(now - 1000), count: 3 },
      ],
    });
  });
});

describe('total_revenue', () => {
  it('adds up decimals, of all times, and leaves out what has no rate', async () => {
    await test.store.purchases.insert([
      ...Array.from({ length: 10 }, () => purchase('p-spender', 'tea', '0.1')),
      purchase('p-spender', 'antique', '0.000000000000001', now - 1000 * day),
      purchase('p-spender', 'no rate'),
    ]);
    expect(await exported('spender', ['total_revenue'])).toEqual({ total_revenue: 1.000000000000001 });
  });

  it('holds what was rolled up, of absorbed people too, and counts nothing twice', async () => {
    await test.add(
      aPerson({ _id: serviceId('p-old'), external_id: 'old', absorbed: [serviceId('p-older')] }),
    );
    await test.store.purchases.insert([purchase('p-old', 'tea', '0.1')]);
    const time = new Date(now - 200 * day);
    const rolledUp = { ws: 'demo', of: 'purchases', first: time, last: time, count: 1 } as const;
    await test.store.transact((session) =>
      test.store.totals.add(session, [
        { ...rolledUp, profile: serviceId('p-old'), name: 'tea', revenue: '0.2' },
        { ...rolledUp, profile: serviceId('p-old'), name: 'no rate' },
        { ...rolledUp, profile: serviceId('p-older'), name: 'tea', revenue: '1000000000000.3' },
      ]),
    );
    expect(await exported('old', ['total_revenue', 'purchases'])).toEqual({
      total_revenue: 1000000000000.6,
      purchases: [{ name: 'tea', first: iso(now - day), last: iso(now - day), count: 1 }],
    });
  });

  it('holds what was spent by all people merged into the person', async () => {
    await test.store.purchases.insert([
      purchase('p-merged', 'tea', '0.1'),
      purchase('p-away', 'tea', '0.1'),
      purchase('p-far', 'tea', '0.1'),
    ]);
    expect(await exported('merged', ['total_revenue'])).toEqual({ total_revenue: 0.3 });
  });
});

it('a person with 300 attributes and 100,000 events is exported like any other', async () => {
  const v = 'x'.repeat(255);
  const custom = Array.from({ length: 300 }, (_, n) => ({ k: `attribute ${n}`, v, at }));
  await test.store.profiles.updateOne({ _id: serviceId('p-busy') }, { $set: { custom } });
  for (let from = 0; from < 100_000; from += 10_000) {
    const some = Array.from({ length: 10_000 }, (_, n) =>
      event('p-busy', `event ${n % 100}`, now - from - n),
    );
    await test.store.events.insert(some);
  }
  const began = performance.now();
  const user = await exported('busy', ['custom_attributes', 'custom_events']);
  inLongRuns(() => expect(performance.now() - began).toBeLessThan(8000));
  expect(Object.keys(user?.custom_attributes ?? {})).toHaveLength(300);
  expect(user?.custom_events).toHaveLength(100);
  expect(user?.custom_events?.[0]).toEqual({
    name: 'event 0',
    first: iso(now - 99_900),
    last: iso(now),
    count: 1000,
  });
});

import { patient, serviceId, type TestServer, testMongo } from '@roster/testkit';
import { decimal } from '../../decimal.ts';
import { openStore, type Store } from '../../open-store.ts';
import { earlierIndex } from './row.ts';

let server: TestServer;
let store: Store;

const open = () => openStore({ url: server.url, appName: 'migration-test', ...patient, ensureIndexes: true });

beforeEach(async () => {
  server = await testMongo();
  store = await open();
});
afterEach(async () => {
  await store.migration.run({ restMs: () => 0 });
  await store.close();
  await server.close();
});

const db = () => {
  const found = store.models.generations?.db;
  if (!found) throw new Error('there is no connection');
  return found;
};

const people = ['ada', 'bob', 'eve'].map(serviceId);
const [ada = '', bob = ''] = people;
const at = 1_790_000_000_000_000;

const common = (n: number) => ({
  _id: `r${at.toString(36)}-${Math.floor(n / 50)}:${n % 50}` as never,
  ws: 'demo',
  profile: people[n % people.length] ?? '',
  time: new Date(1_000 * (n % 40)),
  at: at + Math.floor(n / 50),
  properties: `{"n":${n}}`,
});

/** As the version before has stored them. */
const storeEarlier = async (count: number): Promise<void> => {
  for (const kind of ['events', 'purchases'] as const) {
    const { key, name } = earlierIndex[kind];
    await db().collection(kind).createIndex(key, { name });
  }
  const all = Array.from({ length: count }, (_, n) => n);
  await db()
    .collection('events')
    .insertMany(all.map((n) => ({ ...common(n), name: `event ${n % 7}` })));
  const bought = { product_id: 'tea', currency: 'EUR', price: 2.5, quantity: 2, revenue: decimal('2.50') };
  await db()
    .collection('purchases')
    .insertMany(all.map((n) => ({ ...common(n), ...bought })));
  await store.close();
  store = await open();
};

const sorted = (rows: readonly object[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted();

/** Everything that readers tell of these people. */
const seen = (of: 'events' | 'purchases') =>
  store.snapshot({ maxTimeMS: 60_000 }, async (moment) => {
    const rows: object[] = [];
    for await (const { properties, name, time, at: stamp, index } of store[of].of(
      people,
      moment,
    ) as AsyncIterable<Record<string, unknown>>)
      rows.push({ properties, name, time, at: stamp, index });
    const counts = new Map<string, number>();
    for await (const some of store[of].summaries({ profiles: people, since: new Date(0) }, moment))
      for (const { profile, name, count } of some)
        counts.set(`${profile} ${name}`, count + (counts.get(`${profile} ${name}`) ?? 0));
    let spent = 0;
    if (of === 'purchases')
      for await (const some of store.purchases.revenues(people, moment))
        for (const { revenue } of some) spent += Number(revenue);
    const last = await store[of].lastOfEach(people, moment);
    const counted = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return { rows: sorted(rows), counted, spent, last, count: await store[of].count(people, moment) };
  });

const left = (of: string) => db().collection(of).countDocuments();
const quickly = { restMs: () => 0, rowsInStep: 7 };

/** Once `n` steps are done, and not waited for afterwards. */
const stoppedAfter = async (n: number): Promise<void> => {
  const stop = new AbortController();
  let steps = 0;
  const onMoved = () => {
    steps += 1;
    if (steps === n) stop.abort();
  };
  await expect(store.migration.run({ ...quickly, signal: stop.signal, onMoved })).rejects.toThrow(/abort/i);
};

describe('rows of the earlier layout', () => {
  it('are read before, during and after their migration, each once', async () => {
    await storeEarlier(100);
    const before = [await seen('events'), await seen('purchases')];
    expect(before[0]).toMatchObject({ count: 100 });
    expect(before[1]).toMatchObject({ count: 100, spent: 250 });
    await stoppedAfter(4);
    expect([await left('events'), await left('events_0')]).toEqual([72, 28]);
    expect([await seen('events'), await seen('purchases')]).toEqual(before);
    expect(await store.migration.run(quickly)).toEqual({ events: 72, purchases: 100 });
    expect([await left('events'), await left('purchases')]).toEqual([0, 0]);
    expect([await seen('events'), await seen('purchases')]).toEqual(before);
    expect(await store.events.generations.all()).toContainEqual(
      expect.objectContaining({ _id: 'events_0', closed: expect.any(Date) }),
    );
  });

  it('are seen as one whole by every moment while they move', async () => {
    await storeEarlier(200);
    const before = await seen('events');
    let moves = true;
    const moving = store.migration.run({ ...quickly, restMs: () => 5 }).finally(() => {
      moves = false;
    });
    let looks = 0;
    for (; moves; looks++) expect(await seen('events')).toEqual(before);
    await moving;
    expect(looks).toBeGreaterThan(2);
  });

  it('stand beside new ones', async () => {
    await storeEarlier(30);
    await store.events.insert([
      { request: 'new', index: 0, ws: 'demo', profile: ada, time: new Date(99_000), at, name: 'new' },
    ]);
    expect((await seen('events')).count).toBe(31);
    expect((await store.events.lastOfEach([ada, bob])).get(ada)).toEqual(new Date(99_000));
    const latest: number[] = [];
    for await (const { time } of store.events.latest([ada], new Date(0), 2)) latest.push(time.getTime());
    // Two of each place: the old rows, and the new ones.
    expect(latest).toHaveLength(3);
    expect(Math.max(...latest)).toBe(99_000);
    const newest: number[] = [];
    for await (const { time } of store.events.of([ada], {}, 2)) newest.push(time.getTime());
    expect(newest.toSorted((a, b) => b - a)).toEqual(latest.toSorted((a, b) => b - a));
    await store.migration.run(quickly);
    expect((await seen('events')).count).toBe(31);
    expect((await store.events.generations.all()).map(({ _id }) => _id)).toEqual([
      'events_0',
      'events_1',
      'events_2',
    ]);
  });

  it('are found by the last activity in a transaction', async () => {
    await storeEarlier(100);
    const last = () =>
      store.transact(async (session) =>
        Object.fromEntries(await store.events.lastOfEach(people, { session })),
      );
    const before = await last();
    expect(Object.keys(before)).toHaveLength(3);
    await stoppedAfter(5);
    expect(await last()).toEqual(before);
  });

  it('of an erased person are removed, wherever they are', async () => {
    await storeEarlier(100);
    await stoppedAfter(4);
    await store.events.remove([ada]);
    expect(await store.events.count([ada])).toBe(0);
    expect(await store.events.count([bob])).toBe(33);
    await store.migration.run(quickly);
    expect(await store.events.count([ada])).toBe(0);
    expect(await store.events.count([bob])).toBe(33);
  });

  it('of an erased person do not come back when they are erased while they move', async () => {
    await storeEarlier(300);
    const moving = store.migration.run({ ...quickly, restMs: () => 1 });
    await store.events.remove([ada, bob]);
    await moving;
    expect(await store.events.count([ada, bob])).toBe(0);
    expect((await seen('events')).count).toBe(100);
  });

  it('written meanwhile by the version before are migrated too', async () => {
    await storeEarlier(50);
    let isLate = true;
    const onMoved = async () => {
      if (!isLate) return;
      isLate = false;
      // Before the place that the walk has reached.
      await db()
        .collection('events')
        .insertOne({ ...common(1), _id: 'late:0' as never, profile: '0'.repeat(24), name: 'late' });
    };
    await store.migration.run({ ...quickly, restMs: () => 20, onMoved });
    expect(await left('events')).toBe(0);
    expect(await store.events.count(['0'.repeat(24)])).toBe(1);
  });
});

it('two migrations at once move each row once', async () => {
  await storeEarlier(200);
  const before = await seen('events');
  const both = await Promise.all([store.migration.run(quickly), store.migration.run(quickly)]);
  expect(both[0].events + both[1].events).toBe(200);
  expect(await seen('events')).toEqual(before);
});

it('a store without rows of the earlier layout has nothing to migrate', async () => {
  expect(await store.migration.waiting()).toEqual({ events: 0, purchases: 0 });
  expect(await store.migration.run()).toEqual({ events: 0, purchases: 0 });
  expect((await store.events.generations.all()).map(({ _id }) => _id)).toEqual(['events_1', 'events_2']);
});

it('the collection of the earlier layout is dropped an hour after its migration, and not before', async () => {
  await storeEarlier(10);
  await store.migration.run(quickly);
  const names = async () => (await db().listCollections()).map(({ name }) => name);
  const again = async () => {
    await store.close();
    store = await open();
    return names();
  };
  expect(await again()).toContain('events');
  const closed = new Date(Date.now() - 2 * 3600 * 1000);
  await db().collection('generations').updateMany({ n: 0 }, { $set: { closed } });
  expect(await again()).not.toContain('events');
  expect((await seen('events')).count).toBe(10);
});

import { serviceId, type TestServer, testMongo } from '@roster/testkit';
import { decimal } from '../decimal.ts';
import type { EventRow, PurchaseRow, Sent } from '../documents.ts';
import { openStore, type Store } from '../open-store.ts';
import { storedOf } from './rows.ts';
import { settledAfterMs } from './steps.ts';
import { dueForMerge, mergedAtOnce } from './tiers.ts';

jest.setTimeout(60_000);

let server: TestServer;
let store: Store;

beforeEach(async () => {
  server = await testMongo();
  store = await openStore({
    url: server.url,
    appName: 'merging-test',
    patienceMs: 10_000,
    ensureIndexes: true,
    generations: { rows: 30 },
  });
});
afterEach(async () => {
  await store.close();
  await server.close();
});

const people = ['ada', 'bob', 'eve'].map(serviceId);
const [ada = '', bob = '', eve = ''] = people;
let made = 0;
const common = () => ({
  request: `r${++made}`,
  index: made % 50,
  ws: 'demo',
  profile: people[made % people.length] ?? '',
  time: new Date(1_000 * ((made * 7) % 400)),
  at: 1_790_000_000_000_000 + made,
  properties: JSON.stringify({ made, long: 'x'.repeat(made % 90) }),
});
const event = (): Sent<EventRow> => ({ ...common(), name: `event ${made % 3}` });
const purchase = (): Sent<PurchaseRow> => ({
  ...common(),
  product_id: 'tea',
  currency: 'EUR',
  price: 2.5,
  quantity: 2,
  revenue: decimal('2.50'),
});
const thirty = <Row>(make: () => Row): Row[] => Array.from({ length: 30 }, make);

/** Of each kind, when as many generations are full as are merged. */
const rows = 30 * mergedAtOnce;

/** So many closed generations. */
const fill = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n++) {
    await store.events.insert(thirty(event));
    await store.purchases.insert(thirty(purchase));
    await store.events.generations.look();
    await store.purchases.generations.look();
  }
};

const quickly = { restMs: () => 0, rowsInStep: 16 };
const later = (hours: number) => ({ ...quickly, now: Date.now() + hours * (settledAfterMs + 1_000) });

/** The generations that have rows. */
const written = async () => (await store.events.generations.all()).filter(({ oldest }) => oldest);

const sorted = (rows: readonly object[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted();
const seen = async () => [sorted(await store.events.find()), sorted(await store.purchases.find())];

const db = () => store.models.generations?.db;

/** The bytes of all rows of a collection, with the types of their numbers. */
const typesIn = async (names: readonly string[]): Promise<Set<string>> => {
  const types = new Set<string>();
  for (const name of names)
    for (const found of (await db()
      ?.collection(name)
      .aggregate([
        {
          $project: {
            _id: 0,
            t: { $map: { input: { $objectToArray: '$$ROOT' }, in: ['$$this.k', { $type: '$$this.v' }] } },
          },
        },
      ])
      .toArray()) ?? [])
      types.add(JSON.stringify(found.t));
  return types;
};

describe('old generations', () => {
  it('become one of the next tier, and every reader finds the same', async () => {
    await fill(mergedAtOnce);
    const [before, types] = [await seen(), await typesIn(['purchases_1', 'purchases_2'])];
    expect(await store.merging.run(quickly)).toEqual({ events: 0, purchases: 0 });
    expect(await store.merging.run(later(1))).toEqual({ events: rows, purchases: rows });
    expect(await seen()).toEqual(before);
    expect(await written()).toEqual([
      expect.objectContaining({ tier: 1, oldest: new Date(0), closed: expect.any(Date) }),
    ]);
    expect(await store.events.count([ada])).toBe(rows / 3);
    const [large] = await written();
    expect(await typesIn([large?._id.replace('events', 'purchases') ?? ''])).toEqual(types);
    expect(await store.merging.run(later(2))).toEqual({ events: 0, purchases: 0 });
  });

  it('are dropped when nobody reads them any more', async () => {
    await fill(mergedAtOnce);
    await store.merging.run(later(1));
    await store.merging.run(quickly);
    const names = async () => (await store.events.generations.all()).map(({ _id }) => _id);
    expect(await names()).toContain('events_1');
    await store.merging.run(later(1));
    expect(await names()).toHaveLength(3);
    const collections = (await db()?.listCollections())?.map(({ name }) => name) ?? [];
    expect(collections).not.toContain('events_1');
  });

  it('are looked through once more before they are dropped: a process that stood still may have written there', async () => {
    await fill(mergedAtOnce);
    await store.merging.run(later(1));
    const late = { ...event(), profile: ada };
    await db()
      ?.collection<{ _id: Buffer }>('events_1')
      .insertOne({ ...storedOf(late) });
    expect(await store.merging.run(later(1))).toEqual({ events: 1, purchases: 0 });
    expect((await store.events.find()).map(({ at }) => at)).toContain(late.at);
    await store.merging.run(later(2));
    await store.merging.run(later(4));
    expect((await store.events.find()).map(({ at }) => at)).toContain(late.at);
    expect((await store.events.generations.all()).map(({ _id }) => _id)).not.toContain('events_1');
  });

  it('are few, however many rows there are', async () => {
    const day = 24 * 60 * 60 * 1000;
    const closed = new Date(day);
    const row = (n: number, tier: number) => ({
      _id: `events_${n}`,
      of: 'events' as const,
      n,
      tier,
      closed,
      oldest: closed,
    });
    let all: ReturnType<typeof row>[] = [];
    for (let n = 1; n <= 1_000; n++) {
      all.push(row(n, 0));
      for (let due = dueForMerge(all, 3 * day); due.length > 0; due = dueForMerge(all, 3 * day)) {
        all = all.filter((one) => !due.some(({ _id }) => _id === one._id));
        all.push(row(n * 10, (due[0]?.tier ?? 0) + 1));
      }
      expect(all.length).toBeLessThan(4 * mergedAtOnce);
    }
  });

  it('are merged once, though a run ends anywhere and two run at once', async () => {
    await fill(mergedAtOnce);
    const before = await seen();
    for (let steps = 1; steps < 4; steps++) {
      const stop = new AbortController();
      let left = steps;
      const onMoved = () => {
        left -= 1;
        if (left === 0) stop.abort();
      };
      const ended = store.merging.run({ ...later(1), onMoved, signal: stop.signal });
      await expect(ended).rejects.toThrow(/abort/i);
      expect(await seen()).toEqual(before);
    }
    await Promise.all([store.merging.run(later(1)), store.merging.run(later(1))]);
    expect(await seen()).toEqual(before);
    expect(await written()).toHaveLength(1);
  });

  it('lose the rows of deleted people, also those that move between search and removal', async () => {
    await fill(mergedAtOnce);
    let merging: Promise<unknown> | undefined;
    const mergeFirst = async () => {
      merging ??= store.merging.run(later(1));
      await merging;
    };
    await store.events.remove([bob, eve], mergeFirst);
    expect([await store.events.count([ada]), await store.events.count([bob, eve])]).toEqual([rows / 3, 0]);
    expect(new Set((await store.events.find()).map(({ profile }) => profile))).toEqual(new Set([ada]));
    expect(await store.purchases.count([bob])).toBe(rows / 3);
  });

  it('lose the rows of deleted people in the middle of a merge', async () => {
    await fill(mergedAtOnce);
    const removals: Promise<void>[] = [];
    const onMoved = () => {
      if (removals.length < 6) removals.push(store.events.remove([bob]), store.events.remove([eve]));
    };
    await store.merging.run({ ...later(1), onMoved });
    await Promise.all(removals);
    expect(new Set((await store.events.find()).map(({ profile }) => profile))).toEqual(new Set([ada]));
  });

  it('are read as they are at one moment while rows move', async () => {
    await fill(mergedAtOnce);
    const counts: number[] = [];
    let isOver = false;
    const reading = (async () => {
      while (!isOver)
        counts.push(
          await store.snapshot({ maxTimeMS: 20_000 }, (moment) => store.events.count(people, moment)),
        );
    })();
    await store.merging.run(later(1));
    isOver = true;
    await reading;
    expect(counts.length).toBeGreaterThan(2);
    expect(new Set(counts)).toEqual(new Set([rows]));
  });
});

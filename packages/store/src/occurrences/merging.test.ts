import os from 'node:os';
import { anEvent, aPurchase, serviceId, type TestStore, testStore } from '@roster/testkit';
import mongoose from 'mongoose';
import { type Db, decimal } from '../connection/db.ts';
import { openStore, type Store } from '../connection/open-store.ts';
import { createTransact, type Transact } from '../connection/transact.ts';
import type { GenerationDocument, OccurrenceKind, WithRequest } from '../models/occurrences.ts';
import type { KeyParts } from './key.ts';
import { createMerging } from './merging.ts';
import { type Stored, storedOf } from './rows.ts';
import { createCollectionOf, generationName, settledAfterMs } from './steps.ts';
import { mergedAtOnce, mergesDue } from './tiers.ts';

let test: TestStore;
let client: mongoose.mongo.MongoClient;
let store: Store;

beforeEach(async () => {
  test = await testStore(openStore);
  store = test.store;
  // The driver would fetch `os` by a dynamic import, which jest's sandbox does not allow.
  client = await mongoose.mongo.MongoClient.connect(test.url, { runtimeAdapters: { os } });
});
afterEach(async () => {
  await client.close();
  await test.close();
});

const people = ['ada', 'bob', 'eve'].map(serviceId);
const [ada = '', bob = '', eve = ''] = people;
let made = 0;
const next = () => {
  made += 1;
  return people[made % people.length] ?? '';
};
const common = () => ({
  index: made % 50,
  time: new Date(1_000 * ((made * 7) % 400)),
  at: 1_790_000_000_000_000 + made,
  properties: JSON.stringify({ made, long: 'x'.repeat(made % 90) }),
});
const event = () => anEvent(next(), { ...common(), name: `event ${made % 3}` });
const purchase = () => aPurchase(next(), { ...common(), price: 2.5, revenue: decimal('2.50') });
const thirty = <Row>(make: () => Row): Row[] => Array.from({ length: 30 }, make);

/** As many generations are full and closed as are merged at once; the open ones come before them. */
const firstFull = 3;
const rows = 30 * mergedAtOnce;

const rowsIn = (name: string) => client.db().collection<Stored>(name);

const fillWith = async <Row extends KeyParts>(
  of: OccurrenceKind,
  make: () => WithRequest<Row>,
): Promise<void> => {
  const one = async (n: number): Promise<void> => {
    const name = generationName(of, n);
    await createCollectionOf(client.db(), name);
    await rowsIn(name).insertMany(thirty(make).map((row) => storedOf<Row>(row)));
    const [oldest, closed] = [new Date(0), new Date()];
    const generations = client.db().collection<GenerationDocument>('generations');
    await generations.insertOne({ _id: name, of, n, oldest, closed });
  };
  await Promise.all(Array.from({ length: mergedAtOnce }, (_, n) => one(firstFull + n)));
};

const fill = (): Promise<void> => fillWith('events', event);

const quickly = { restMs: () => 0, rowsInStep: 160 };
/** For tests about what happens between the steps of a merge. */
const inSmallSteps = { rowsInStep: 64 };
const later = (hours: number) => ({ ...quickly, now: Date.now() + hours * (settledAfterMs + 1_000) });

const closedAt = (ms: number, n: number) => {
  const closed = new Date(ms);
  return { _id: `events_${n}`, of: 'events' as const, n, closed, oldest: closed };
};

/** The generations that have rows. */
const written = async () => (await store.events.generations.all()).filter(({ oldest }) => oldest);

const sorted = (rows: readonly object[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted();
const seen = async () => [sorted(await store.events.find()), sorted(await store.purchases.find())];

const membersWithTypes = {
  $project: {
    _id: 0,
    members: {
      $map: { input: { $objectToArray: '$$ROOT' }, in: ['$$this.k', { $type: '$$this.v' }] },
    },
  },
};

/** The members of all rows, with the types of their values. */
const typesIn = async (names: readonly string[]): Promise<Set<string>> => {
  const types = new Set<string>();
  for (const name of names)
    for (const found of await client.db().collection(name).aggregate([membersWithTypes]).toArray())
      types.add(JSON.stringify(found.members));
  return types;
};

describe('old generations', () => {
  it('become one of the next tier, and every reader finds the same', async () => {
    await Promise.all([fill(), fillWith('purchases', purchase)]);
    const [before, types] = [await seen(), await typesIn(['purchases_3', 'purchases_4'])];
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
    await fill();
    await store.merging.run(later(1));
    await store.merging.run(quickly);
    const names = async () => (await store.events.generations.all()).map(({ _id }) => _id);
    expect(await names()).toContain('events_3');
    await store.merging.run(later(1));
    expect(await names()).toHaveLength(3);
    const collections = (await client.db().listCollections().toArray()).map(({ name }) => name);
    expect(collections).not.toContain('events_3');
  });

  it('are looked through once more before they are dropped: a process that stood still may have written there', async () => {
    await fill();
    await store.merging.run(later(1));
    const late = { ...event(), profile: ada };
    await rowsIn('events_3').insertOne(storedOf(late));
    expect(await store.merging.run(later(1))).toEqual({ events: 1, purchases: 0 });
    expect((await store.events.find()).map(({ at }) => at)).toContain(late.at);
    await store.merging.run(later(2));
    await store.merging.run(later(4));
    expect((await store.events.find()).map(({ at }) => at)).toContain(late.at);
    expect((await store.events.generations.all()).map(({ _id }) => _id)).not.toContain('events_3');
  });

  it('are few, however many rows there are', async () => {
    const day = 24 * 60 * 60 * 1000;
    const row = (n: number, tier: number) => ({ ...closedAt(day, n), tier });
    let all: ReturnType<typeof row>[] = [];
    for (let n = 1; n <= 1_000; n++) {
      all.push(row(n, 0));
      for (let [due] = mergesDue(all, 3 * day); due; [due] = mergesDue(all, 3 * day)) {
        all = all.filter((one) => !due?.some(({ _id }) => _id === one._id));
        all.push(row(n * 10, (due[0]?.tier ?? 0) + 1));
      }
      expect(all.length).toBeLessThan(4 * mergedAtOnce);
    }
  });

  it('are merged with shorter rests when more merges wait', () => {
    const all = Array.from({ length: 3 * mergedAtOnce + 5 }, (_, n) => closedAt(0, n));
    expect(mergesDue(all, settledAfterMs)).toEqual([all.slice(0, 16), all.slice(16, 32), all.slice(32, 48)]);
    expect(mergesDue(all.slice(0, mergedAtOnce - 1), settledAfterMs)).toEqual([]);
    expect(mergesDue(all, 60_000)).toEqual([]);
  });

  it('are merged once, though a run ends anywhere and two run at once', async () => {
    await fill();
    const before = await seen();
    for (let steps = 1; steps < 4; steps++) {
      const stop = new AbortController();
      let left = steps;
      const onMoved = () => {
        left -= 1;
        if (left === 0) stop.abort();
      };
      const ended = store.merging.run({ ...later(1), ...inSmallSteps, onMoved, signal: stop.signal });
      await expect(ended).rejects.toThrow(/abort/i);
      expect(await seen()).toEqual(before);
    }
    await Promise.all([store.merging.run(later(1)), store.merging.run(later(1))]);
    expect(await seen()).toEqual(before);
    expect(await written()).toHaveLength(1);
  });

  it('lose the rows of deleted people, also those that move between search and removal', async () => {
    await fill();
    let merging: Promise<unknown> | undefined;
    const mergeFirst = async () => {
      merging ??= store.merging.run(later(1));
      await merging;
    };
    await store.events.remove([bob, eve], mergeFirst);
    expect([await store.events.count([ada]), await store.events.count([bob, eve])]).toEqual([rows / 3, 0]);
    expect(new Set((await store.events.find()).map(({ profile }) => profile))).toEqual(new Set([ada]));
  });

  it('lose the rows of deleted people in the middle of a merge', async () => {
    await fill();
    const removals: Promise<void>[] = [];
    const onMoved = () => {
      if (removals.length < 6) removals.push(store.events.remove([bob]), store.events.remove([eve]));
    };
    await store.merging.run({ ...later(1), ...inSmallSteps, onMoved });
    await Promise.all(removals);
    expect(new Set((await store.events.find()).map(({ profile }) => profile))).toEqual(new Set([ada]));
  });

  it('are read as they are at one moment while rows move', async () => {
    await fill();
    const counts: number[] = [];
    let isOver = false;
    const reading = (async () => {
      while (!isOver)
        counts.push(
          await store.snapshot({ maxTimeMS: 20_000 }, (moment) => store.events.count(people, moment)),
        );
    })();
    await store.merging.run({ ...later(1), ...inSmallSteps });
    isOver = true;
    await reading;
    expect(counts.length).toBeGreaterThan(2);
    expect(new Set(counts)).toEqual(new Set([rows]));
  });
});

describe('a merge whose process ends between insert and removal', () => {
  const bound = <One extends object>(one: One, name: string | symbol): unknown => {
    const value: unknown = Reflect.get(one, name);
    return typeof value === 'function' ? value.bind(one) : value;
  };

  const endingBeforeRemoval = (db: Db): Db => {
    const removing = async () => {
      throw new Error('the process ends here');
    };
    const collection = (...args: Parameters<Db['collection']>) =>
      new Proxy(db.collection(...args), {
        get: (one, name) => (name === 'deleteMany' ? removing : bound(one, name)),
      });
    return new Proxy(db, { get: (one, name) => (name === 'collection' ? collection : bound(one, name)) });
  };

  const brokenOff = async (transact: Transact): Promise<void> => {
    await fill();
    const ended = createMerging(endingBeforeRemoval(client.db()), transact).run(later(1));
    await expect(ended).rejects.toThrow('the process ends here');
  };

  it('loses and doubles nothing, because a step is one transaction', async () => {
    await brokenOff(createTransact(client));
    expect(await store.events.count(people)).toBe(rows);
    await store.merging.run(later(1));
    expect(await store.events.count(people)).toBe(rows);
  });

  it('would double the rows of the step without the transaction', async () => {
    await brokenOff((work) => client.withSession((session) => work(session, 0)));
    expect(await store.events.count(people)).toBeGreaterThan(rows);
  });
});

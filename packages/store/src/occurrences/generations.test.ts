import { anEvent, patient, serviceId, type TestServer, usedMongo } from '@roster/testkit';
import { openStore, type Store } from '../connection/open-store.ts';
import type { EventRow } from '../models/occurrences.ts';
import { settledAfterMs } from './steps.ts';

let server: TestServer;
let store: Store;
let stores: Store[];

/** As another process: what one has learned, the other one does not know. */
const another = async (rows = 3): Promise<Store> => {
  const opened = await openStore({
    url: server.url,
    appName: 'generations-test',
    ...patient,
    ensureIndexes: true,
    generations: { rows },
  });
  stores.push(opened);
  return opened;
};

beforeEach(async () => {
  server = await usedMongo();
  stores = [];
  store = await another();
});
afterEach(async () => {
  for (const one of stores) await one.close();
  await server.close();
});

let made = 0;
const event = (profile: string, time = 1_000) =>
  anEvent(serviceId(profile), { time: new Date(time), at: ++made, name: `event ${made}` });
const some = (profile: string, count = 3) => Array.from({ length: count }, () => event(profile));

const names = async (...which: ('closed' | 'oldest')[]) =>
  (await store.events.generations.all())
    .filter((one) => which.every((name) => one[name]))
    .map(({ _id }) => _id);

const rowsIn = (name: string) => store.db.collection(name).countDocuments();

const look = (one: Store) => one.events.generations.look();

describe('a generation', () => {
  it('is clustered by its key, and the next one is there before it is needed', async () => {
    expect(await names()).toEqual(['events_1', 'events_2']);
    const clustered: string[] = [];
    for (const { name, ...rest } of await store.db.listCollections().toArray())
      if (JSON.stringify(rest).includes('"clusteredIndex"')) clustered.push(name);
    expect(clustered.toSorted()).toEqual(['events_1', 'events_2', 'purchases_1', 'purchases_2']);
  });

  it('is closed when it is full; the next rows go to the next one, and every reader finds all', async () => {
    for (let n = 0; n < 4; n++) {
      await store.events.insert(some('ada'));
      await look(store);
    }
    const full = ['events_1', 'events_2', 'events_3', 'events_4'];
    expect(await names('closed')).toEqual(full);
    expect(await Promise.all(full.map(rowsIn))).toEqual([3, 3, 3, 3]);
    const ada = [serviceId('ada')];
    expect(await store.events.count(ada)).toBe(12);
    const of: EventRow[] = [];
    for await (const row of store.events.of(ada)) of.push(row);
    expect(of).toHaveLength(12);
    expect(await store.events.find()).toEqual(of);
    await store.events.remove(ada);
    expect(await store.events.find()).toEqual([]);
  });

  it('takes rows of a worker that has not heard of the next one', async () => {
    const late = await another();
    await late.events.insert([event('ada')]);
    await store.events.insert(some('ada'));
    await look(store);
    await store.events.insert([event('ada')]);
    await late.events.insert([event('ada')]);
    expect([await rowsIn('events_1'), await rowsIn('events_2')]).toEqual([5, 1]);
    expect(await store.events.count([serviceId('ada')])).toBe(6);
  });

  it('is made once by several workers, and closed once', async () => {
    const all = [store, ...(await Promise.all([another(), another(), another()]))];
    await store.events.insert(some('ada'));
    await Promise.all(all.map(look));
    expect(await names('closed')).toEqual(['events_1']);
    await Promise.all(all.map((one) => one.events.insert([event('ada')])));
    await Promise.all(all.map(look));
    expect(await names('closed')).toEqual(['events_1', 'events_2']);
    expect(await names()).toEqual(['events_1', 'events_2', 'events_3', 'events_4']);
    expect(await store.events.count([serviceId('ada')])).toBe(7);
  });

  it('says the oldest day of its rows before they are there', async () => {
    const day = 24 * 3600 * 1000;
    await store.events.insert([event('ada', 10 * day + 5)]);
    await store.events.insert([event('ada', 3 * day + 7)]);
    await store.events.insert([event('ada', 8 * day)]);
    const [first, second] = await store.events.generations.all();
    expect([first?.oldest, second?.oldest]).toEqual([new Date(3 * day), undefined]);
  });
});

describe('an empty generation', () => {
  const found = async (now: number) => {
    const [first] = await store.events.generations.all();
    return first ? store.events.generations.foundEmpty(first, now) : undefined;
  };

  it('is dropped when nobody can write or read it any more: an hour after it was closed, and found empty', async () => {
    expect(await found(Date.now() + 10 * settledAfterMs)).toBe(false);
    await store.events.insert(some('ada'));
    await look(store);
    await store.events.insert([event('ada')]);
    await store.events.remove([serviceId('ada')]);
    expect(await found(Date.now())).toBe(false);
    expect(await found(Date.now() + 2 * settledAfterMs)).toBe(false);
    expect(await names()).toContain('events_1');
    expect(await found(Date.now() + 2 * settledAfterMs)).toBe(true);
    expect(await names()).not.toContain('events_1');
    expect(await store.events.count([serviceId('ada')])).toBe(0);
    await look(store);
    await store.events.insert([event('ada')]);
    expect(await store.events.count([serviceId('ada')])).toBe(1);
  });
});

describe('readers', () => {
  beforeEach(async () => {
    for (const time of [5_000, 2_000, 9_000]) {
      await store.events.insert([...some('ada', 2), event('bob'), event('ada', time)]);
      await look(store);
    }
  });

  it('find the last one of each, in a transaction too', async () => {
    const [ada, bob] = [serviceId('ada'), serviceId('bob')];
    const last = await store.transact((session) =>
      store.events.lastOfEach([ada, bob, serviceId('nobody'), 'no service id'], { session }),
    );
    expect(last).toEqual(new Map(Object.entries({ [ada]: new Date(9_000), [bob]: new Date(1_000) })));
  });

  it('see nothing of a transaction that is undone', async () => {
    const before = await store.events.find();
    const failing = store.transact(async (session) => {
      await store.events.insert(some('ada'), session);
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await store.events.find()).toEqual(before);
  });

  it('read the keys of the person, and no other row', async () => {
    const slice = await store.events.slice('events_1', { after: Buffer.alloc(0), most: 100 });
    const explained = await store.db
      .collection('events_1')
      .find({ _id: { $gte: slice[0]?._id, $lte: slice[0]?._id } } as object)
      .explain('executionStats');
    expect(JSON.stringify(explained)).toContain('CLUSTERED_IXSCAN');
    expect(explained).toMatchObject({ executionStats: { nReturned: 1, totalDocsExamined: 2 } });
  });
});

/** A move of rows that ends between insert and removal: nothing is lost or doubled, because a step is one transaction. */
import os from 'node:os';
import { patient, serviceId, type TestServer, testMongo } from '@roster/testkit';
import mongoose from 'mongoose';
import type { Db } from '../db.ts';
import { openStore, type Store } from '../open-store.ts';
import { createTransact, type Transact } from '../transact.ts';
import { createMigration } from './earlier/migration.ts';
import { earlierIndex } from './earlier/row.ts';
import { createMerging } from './merging.ts';
import { settledAfterMs } from './steps.ts';
import { mergedAtOnce } from './tiers.ts';

let server: TestServer;
let client: mongoose.mongo.MongoClient;
let store: Store;

beforeEach(async () => {
  server = await testMongo();
  // The driver would fetch `os` by a dynamic import, which jest's sandbox does not allow.
  client = await mongoose.mongo.MongoClient.connect(server.url, { runtimeAdapters: { os } });
  store = await openStore({
    url: server.url,
    appName: 'moves-test',
    ...patient,
    ensureIndexes: true,
    generations: { rows: 10 },
  });
});
afterEach(async () => {
  await store.close();
  // Rows of the earlier layout fit no schema of this version.
  await client.db().dropDatabase();
  await client.close();
  await server.close();
});

const bound = <One extends object>(one: One, name: string | symbol): unknown => {
  const value: unknown = Reflect.get(one, name);
  return typeof value === 'function' ? value.bind(one) : value;
};

/** The process ends before its first removal. */
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

/** The control: each operation counts for itself. */
const withoutTransaction: Transact = (work) => client.withSession((session) => work(session, 0));

const person = serviceId('ada');
const row = (n: number) => ({
  ws: 'demo',
  profile: person,
  time: new Date(1_000 * n),
  at: n,
  name: `event ${n}`,
});

const storeEarlier = async (): Promise<void> => {
  const { key, name } = earlierIndex.events;
  await client.db().collection('events').createIndex(key, { name });
  const rows = Array.from({ length: 20 }, (_, n) => ({ _id: `r${n}:0` as never, ...row(n) }));
  await client.db().collection('events').insertMany(rows);
};

const storeGenerations = async (): Promise<void> => {
  for (let n = 0; n < mergedAtOnce; n++) {
    const rows = Array.from({ length: 10 }, (_, m) => ({
      ...row(10 * n + m),
      request: `r${n}-${m}`,
      index: 0,
    }));
    await store.events.insert(rows);
    await store.events.generations.look();
  }
};

const moves: Record<
  string,
  { rows: number; fill(): Promise<void>; move(db: Db, transact: Transact): Promise<unknown> }
> = {
  'the migration': {
    rows: 20,
    fill: storeEarlier,
    move: (db, transact) => createMigration(db, transact).run({ restMs: () => 0 }),
  },
  'a merge of generations': {
    rows: 10 * mergedAtOnce,
    fill: storeGenerations,
    move: (db, transact) =>
      createMerging(db, transact).run({ restMs: () => 0, now: Date.now() + 2 * settledAfterMs }),
  },
};

describe.each(Object.entries(moves))('%s', (_, { rows, fill, move }) => {
  const brokenOff = async (transact: Transact): Promise<void> => {
    await fill();
    await expect(move(endingBeforeRemoval(client.db()), transact)).rejects.toThrow('the process ends here');
  };

  it('breaks off, and the next run ends it: each row once', async () => {
    await brokenOff(createTransact(client));
    expect(await store.events.count([person])).toBe(rows);
    await move(client.db(), createTransact(client));
    expect(await store.events.count([person])).toBe(rows);
  });

  it('without the transaction the rows of the step are there twice', async () => {
    await brokenOff(withoutTransaction);
    expect(await store.events.count([person])).toBeGreaterThan(rows);
  });
});

import os from 'node:os';
import { type Line, openLine, type TestServer, testMongo } from '@roster/testkit';
import mongoose from 'mongoose';
import { classify } from './classify.ts';
import { openStore, type Store } from './open-store.ts';

jest.setTimeout(60_000);

let server: TestServer;
let line: Line;
let store: Store;

beforeAll(async () => {
  server = await testMongo();
  const real = new URL(server.url);
  line = await openLine(real);
  const url = `mongodb://127.0.0.1:${line.port}${real.pathname}?directConnection=true`;
  store = await openStore({ url, appName: 'healing-test', selectionTimeoutMs: 300, ensureIndexes: true });
});
afterAll(async () => {
  await store.close();
  line.cut();
  await server.close();
});

const claim = (_id: string): Promise<unknown> =>
  store.transact((session) => store.identities.insertOne({ _id, profile: 'p', at: 1 }, { session }));

it('reports within its time that MongoDB is away, as a passing error, and heals by itself when it is back', async () => {
  await claim('demo:e:before');
  line.cut();
  for (const id of ['demo:e:away-1', 'demo:e:away-2']) {
    const began = performance.now();
    const error = await claim(id).catch((caught: unknown) => caught);
    expect(classify(error)).toBe('passing');
    expect(performance.now() - began).toBeLessThan(3000);
  }
  expect(await Promise.all([store.ping(), store.isWell()])).toEqual([false, false]);
  await line.mend();
  await claim('demo:e:after');
  expect([await store.ping(), await store.isWell()]).toEqual([true, true]);
  expect(await store.identities.countDocuments()).toBe(2);
});

/** Heartbeats that are too slow to help. */
const deaf = { heartbeatFrequencyMS: 60_000, connectTimeoutMS: 60_000 };

const healMs = 10_000;

const timeOf = async (work: Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work;
  return performance.now() - began;
};

it('goes on within 10 s when MongoDB has vanished silently, also with operations under way', async () => {
  await claim('demo:e:connected');
  line.vanish();
  const underWay = timeOf(
    claim('demo:e:under-way').catch((error) => {
      expect(classify(error)).toBe('passing');
      return claim('demo:e:tried-again');
    }),
  );
  const ms = await underWay;
  expect(ms).toBeGreaterThan(1_000);
  expect(ms).toBeLessThan(healMs);
  expect(await store.ping()).toBe(true);
});

it('would wait longer than that without heartbeats', async () => {
  const url = `mongodb://127.0.0.1:${line.port}/${new URL(server.url).pathname.slice(1)}?directConnection=true`;
  const client = await mongoose.mongo.MongoClient.connect(url, { ...deaf, runtimeAdapters: { os } });
  const names = client.db().collection('identities');
  await names.countDocuments();
  line.vanish();
  const counted = names.countDocuments().then(
    () => 'answered',
    () => 'failed',
  );
  const late = new Promise((resolve) => setTimeout(resolve, healMs, 'nothing'));
  expect(await Promise.race([counted, late])).toBe('nothing');
  await client.close();
});

import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { collectionNames, ensureValidators, kindIn } from '@roster/store';
import { Redis } from 'ioredis';
import mongoose from 'mongoose';

/** A real server of the test run, with a corner of it that belongs to one test file. */
export interface TestServer {
  url: string;
  close(): Promise<void>;
}

const required = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests with "npm test", which starts the servers`);
  return value;
};

/** ioredis takes them before those of the code: a slow machine does not reach them. */
const outOfReach = 'commandTimeout=60000&socketTimeout=60000';

const worker = (): number => Number(process.env.JEST_WORKER_ID ?? '0');

const redisServer = (): string => {
  const servers = required('ROSTER_TEST_REDIS').split(',');
  return servers[worker() % servers.length] ?? '';
};

/** A server of its own for each jest worker, and there a database of its own if there are more workers. */
export const redisUrl = (): string => `${redisServer()}/${worker()}?${outOfReach}`;

/** Empty at the start of every test file. */
export const testRedis = async (): Promise<TestServer> => {
  const url = redisUrl();
  const redis = new Redis(url);
  await redis.flushdb();
  return {
    url,
    async close() {
      await redis.flushdb();
      await redis.quit();
    },
  };
};

/** The driver would fetch `os` by a dynamic import, which jest's sandbox does not allow. */
const connect = (url: string): Promise<mongoose.mongo.MongoClient> =>
  mongoose.mongo.MongoClient.connect(url, { runtimeAdapters: { os } });

const described: ReadonlySet<string> = new Set(collectionNames);

/** MongoDB refuses every document that is not as its schema says; a collection without a schema is found at the end. */
const judge = (found: readonly { collectionName: string }[]): void => {
  const names = found.map(({ collectionName }) => collectionName);
  const unknown = names.filter((name) => !described.has(name) && !kindIn(name));
  if (unknown.length > 0) throw new Error(`no schema describes the collection ${unknown.join(', ')}`);
};

/** Nothing is removed from a database whose name does not say `test`. */
const urlOf = (name: string): string => {
  if (!name.includes('test')) throw new Error(`refusing to use ${name}`);
  const url = new URL(required('ROSTER_TEST_MONGO'));
  url.pathname = `/${name}`;
  return url.href;
};

/** The address of a database that is not there yet: for tables that are read, and the like. It is the caller's to drop it. */
export const foreignMongo = (): string => urlOf(`roster_test_${randomBytes(4).toString('hex')}`);

/** A fresh database. It refuses documents that are not as their schemas say. */
export const testMongo = async (): Promise<TestServer> => {
  const url = foreignMongo();
  const client = await connect(url);
  await ensureValidators(client.db());
  return {
    url,
    async close() {
      const found = await client.db().collections();
      await client.db().dropDatabase();
      await client.close();
      judge(found);
    },
  };
};

/** Its collections stay, and their indexes: to make them takes longer than most tests. */
const empty = async (db: mongoose.mongo.Db): Promise<void> => {
  const found = await db.collections();
  await Promise.all(
    found.map((one) => (described.has(one.collectionName) ? one.deleteMany({}) : one.drop())),
  );
  if (!found.some(({ collectionName }) => described.has(collectionName))) await ensureValidators(db);
};

const taken = new Set<number>();

/**
 * An empty database with the collections and indexes of a store, as earlier test files of this jest worker left it. For tests that do not
 * change an index.
 */
export const usedMongo = async (): Promise<TestServer> => {
  let place = 0;
  while (taken.has(place)) place += 1;
  taken.add(place);
  // No other worker has both, in this run of jest or in one beside it.
  const url = urlOf(`roster_test_worker_${new URL(redisServer()).port}_${worker()}_${place}`);
  const client = await connect(url);
  // Not when it was given back: a test that failed may not have come to that.
  await empty(client.db());
  return {
    url,
    async close() {
      const found = await client.db().collections();
      await client.close();
      taken.delete(place);
      judge(found);
    },
  };
};

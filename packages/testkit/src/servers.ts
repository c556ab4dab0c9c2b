import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { Redis } from 'ioredis';
import mongoose from 'mongoose';
import { misfitsIn } from './misfits.ts';

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

/** A server of its own for each jest worker, and there a database of its own if there are more workers; empty at the start of every test file. */
export const testRedis = async (): Promise<TestServer> => {
  const servers = required('ROSTER_TEST_REDIS').split(',');
  const worker = Number(process.env.JEST_WORKER_ID ?? '0');
  const url = `${servers[worker % servers.length]}/${worker}`;
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

const mostShown = 20;

/** A fresh database. Its documents are held to their schemas before it is dropped; nothing is dropped whose name does not say `test`. */
export const testMongo = async (): Promise<TestServer> => {
  const name = `roster_test_${randomBytes(4).toString('hex')}`;
  const url = new URL(required('ROSTER_TEST_MONGO'));
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async close() {
      if (!name.includes('test')) throw new Error(`refusing to drop ${name}`);
      // The driver would fetch `os` by a dynamic import, which jest's sandbox does not allow.
      const connection = await mongoose.createConnection(url.href, { runtimeAdapters: { os } }).asPromise();
      const misfits = await misfitsIn(connection);
      await connection.dropDatabase();
      await connection.close();
      if (misfits.length === 0) return;
      const shown = misfits.slice(0, mostShown).join('\n');
      throw new Error(`${misfits.length} members are not as their schemas say:\n${shown}`);
    },
  };
};

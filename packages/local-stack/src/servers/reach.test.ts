/** A bare socket is a server that says nothing. */
import { createServer } from 'node:net';
import { listening } from '@roster/testkit';
import { assertReachable } from './reach.ts';

describe('a server that is used by its URL', () => {
  const server = createServer();
  let port = '';
  const redis = { name: 'Redis', variable: 'REDIS_URL' };

  beforeAll(async () => {
    ({ port } = new URL(await listening(server)));
  });
  afterAll(() => void server.close());

  it.each([
    ['redis://127.0.0.1:PORT'],
    ['rediss://me:a%40b@127.0.0.1:PORT/3'],
    ['mongodb://127.0.0.1:1,127.0.0.1:PORT/roster?replicaSet=rs0'],
    ['redis+sentinel://me:secret@127.0.0.1:1,127.0.0.1:PORT/roster'],
    ['mongodb+srv://cluster.example.com/roster'],
  ])('%s answers, or can only be asked by its driver', async (url) => {
    await expect(assertReachable({ ...redis, url: url.replace('PORT', port) })).resolves.toBeUndefined();
  });

  it.each([
    ['redis://me:secret@127.0.0.1:1', '127.0.0.1:1'],
    ['redis://[::1]:1/0', '::1:1'],
    ['redis+sentinel://127.0.0.1,[::1]:1/roster', '127.0.0.1:26379 and ::1:1'],
    ['mongodb://127.0.0.1:1,127.0.0.1:2/roster', '127.0.0.1:1 and 127.0.0.1:2'],
  ])('%s: it says which one, and never the password', async (url, place) => {
    await expect(assertReachable({ ...redis, url })).rejects.toThrow(
      `Redis at ${place} does not answer. REDIS_URL names it: start it, correct REDIS_URL, or leave it out`,
    );
  });
});

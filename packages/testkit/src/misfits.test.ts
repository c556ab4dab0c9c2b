import os from 'node:os';
import mongoose from 'mongoose';
import { misfitsIn } from './misfits.ts';
import { type TestServer, testMongo } from './servers.ts';

const { Binary, MongoClient } = mongoose.mongo;

let server: TestServer;
let client: mongoose.mongo.MongoClient;
let db: mongoose.mongo.Db;

beforeAll(async () => {
  server = await testMongo();
  client = await MongoClient.connect(server.url, { runtimeAdapters: { os }, ignoreUndefined: true });
  db = client.db();
});
afterAll(async () => {
  await client.close();
  await server.close();
});
afterEach(() => db.dropDatabase());

const said = { k: 'email', v: 'opted_in', at: 2 };
const ada = {
  _id: 'ada',
  ws: 'demo',
  fields: { first_name: { v: 'Ada', at: 1 } },
  lists: { devices: { items: [{ k: 'd', v: { 'any.name': null }, at: 1 }] } },
  consents: [{ ...said, earlier: [{ v: null, at: 1 }] }],
  custom: [{ k: 'long', v: 2n ** 60n, at: 1 }],
  created_at: 1,
  updated_at: 2,
};

const event = { _id: new Binary(Buffer.from('x')), ws: 'demo', name: 'seen', properties: '{}' };
const request = {
  ...{ _id: 'r', ws: 'demo', op: 'users.track', at: 1, state: 'applied' },
  ...{ applied: new Date(), expires: new Date(), entries: { attributes: ['updated'] } },
};
const fitting = { profiles: ada, events_1: event, requests: request };

/** What is found when these members are stored instead of those of a document that fits. */
const foundIn = async (members: object, collection: keyof typeof fitting = 'profiles'): Promise<string[]> => {
  await db.collection(collection).insertOne({ ...fitting[collection], ...members } as never);
  return misfitsIn(db);
};

describe('what does not fit its shape', () => {
  it('is nothing where every member is described', async () => {
    const counted = { k: 'n', v: 1, at: 0, base: null, steps: [{ at: 1, n: 0, inc: 1 }] };
    expect(
      await foundIn({ external_id: '', former_ids: [''], ws: '', custom: [...ada.custom, counted] }),
    ).toEqual([]);
    expect(await foundIn({}, 'events_1')).toEqual([]);
    expect(await foundIn({}, 'requests')).toEqual([]);
  });

  it.each([
    ['an unknown member', { nickname: 'A' }, 'nickname: the shape has no such member'],
    [
      'an unknown member of a part',
      { consents: [{ ...said, earlier: [{ v: null, at: 1, why: 'x' }] }] },
      'consents.0.earlier.0.why: the shape has no such member',
    ],
    [
      'an unknown field',
      { fields: { nickname: { v: 'A', at: 1 } } },
      'fields.nickname: the shape has no such member',
    ],
    ['a number for a text', { ws: 7 }, 'ws: is 7, which is not a text'],
    ['a text for a number', { created_at: '1' }, "created_at: is '1', which is not a number"],
    ['one value for a list', { absorbed: 'bob' }, "absorbed: is 'bob', which is not a list"],
    [
      'a number of 64 bits for a double',
      { updated_at: 2n ** 60n },
      'updated_at: is 1152921504606846976n, which is not a number',
    ],
    [
      'a value that is none of a union',
      { consents: [{ ...said, v: 'maybe' }] },
      "consents.0.v: is 'maybe', which is not one of opted_in, subscribed, unsubscribed",
    ],
    [
      'nothing where something is always there',
      { consents: [{ k: 'email', at: 2 }] },
      'consents.0.v: is missing',
    ],
    ['null for what may only be absent', { external_id: null }, 'external_id: is null, which is not a text'],
    ['a required member that is missing', { ws: undefined }, 'ws: is missing'],
  ])('is %s', async (_what, members, expected) => {
    expect(await foundIn(members)).toEqual([`profiles 'ada' ${expected}`]);
  });

  it.each([
    [{ attributes: 'updated' }, "entries.attributes: is 'updated', which is not a list"],
    [{ attributes: [1] }, 'entries.attributes.0: is 1, which is not a text'],
    [['updated'], "entries: is [ 'updated' ], which is not an object with plain names"],
    [{ 'a.b': [] }, "entries: is { 'a.b': [] }, which is not an object with plain names"],
  ])('is a map of lists of texts that is %j', async (entries, expected) => {
    expect(await foundIn({ entries }, 'requests')).toEqual([`requests 'r' ${expected}`]);
  });

  it('is a member of an event that only purchases have', async () => {
    const found = await foundIn({ revenue: 1 }, 'events_1');
    expect(found).toEqual([expect.stringContaining('revenue: the shape has no such member')]);
  });

  it('is a collection that no shape describes', async () => {
    await db.collection('leftovers').insertOne({});
    expect(await misfitsIn(db)).toEqual(['leftovers: no shape describes this collection']);
  });
});

describe('a test database', () => {
  it('does not close in peace over a document that does not fit, and is dropped all the same', async () => {
    const other = await testMongo();
    const open = client.db(new URL(other.url).pathname.slice(1));
    await open.collection('profiles').insertOne({ ...ada, ws: 7 } as never);
    await expect(other.close()).rejects.toThrow("profiles 'ada' ws: is 7");
    expect(await open.collections()).toEqual([]);
  });
});

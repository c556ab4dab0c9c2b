import os from 'node:os';
import { modelsOn } from '@roster/store';
import mongoose from 'mongoose';
import { fits } from './fits.ts';
import { misfitsIn } from './misfits.ts';
import { type TestServer, testMongo } from './servers.ts';

const { Binary } = mongoose.mongo;

let server: TestServer;
let connection: mongoose.Connection;

beforeAll(async () => {
  server = await testMongo();
  connection = await mongoose.createConnection(server.url, { runtimeAdapters: { os } }).asPromise();
});
afterAll(async () => {
  await connection.close();
  await server.close();
});
afterEach(() => connection.dropDatabase());

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

/** What is found when these members are stored instead of those of a profile that fits. */
const foundIn = async (members: object, collection = 'profiles'): Promise<string[]> => {
  await connection.collection<{ _id: string }>(collection).insertOne({ ...ada, ...members });
  return misfitsIn(connection);
};

describe('what does not fit its schema', () => {
  it('is nothing where every member is described', async () => {
    expect(await foundIn({ external_id: '', former_ids: [''], ws: '' })).toEqual([]);
  });

  it.each([
    ['an unknown member', { nickname: 'A' }, 'nickname: the schema has no such member'],
    [
      'an unknown member of a part',
      { consents: [{ ...said, earlier: [{ v: null, at: 1, why: 'x' }] }] },
      'consents.0.earlier.0.why: the schema has no such member',
    ],
    [
      'an unknown field',
      { fields: { nickname: { v: 'A', at: 1 } } },
      'fields.nickname: the schema has no such member',
    ],
    ['a number for a text', { ws: 7 }, "ws: is 7, where the schema wants '7'"],
    ['a text for a number', { created_at: '1' }, "created_at: is '1', where the schema wants 1"],
    ['one value for a list', { absorbed: 'bob' }, "absorbed: is 'bob', where the schema wants [ 'bob' ]"],
    ['a number of 64 bits for a double', { updated_at: 2n ** 60n }, 'updated_at: Cast to Number failed'],
    [
      'a value that is none of a union',
      { consents: [{ ...said, v: 'maybe' }] },
      'consents.0.v: `maybe` is not a valid',
    ],
    [
      'nothing where something is always there',
      { consents: [{ k: 'email', at: 2 }] },
      'consents.0.v: is missing',
    ],
    [
      'null for what may only be absent',
      { external_id: null },
      'external_id: Path `external_id` does not allow null',
    ],
    ['a required member that is missing', { ws: undefined }, 'ws: Path `ws` is required'],
  ])('is %s', async (_what, members, expected) => {
    const found = await foundIn(members);
    expect(found).toEqual([expect.stringContaining(`profiles 'ada' ${expected}`)]);
  });

  it('is a collection that no schema describes', async () => {
    expect(await foundIn({}, 'leftovers')).toEqual(['leftovers: no schema describes this collection']);
  });
});

describe('what fits beyond doubt', () => {
  const schemaOf = (collection: string) => {
    const schema = modelsOn(connection, [collection])[collection]?.schema;
    if (!schema) throw new Error(`no schema ${collection}`);
    return schema;
  };

  it('is judged without the documents of mongoose', async () => {
    const counted = [{ k: 'n', v: 1, at: 0, base: null, steps: [{ at: 1, n: 0, inc: 1 }] }];
    await connection
      .collection<{ _id: string }>('profiles')
      .insertOne({ ...ada, custom: [...ada.custom, ...counted] } as never);
    const stored = await connection.collection('profiles').findOne({}, { useBigInt64: true });
    expect(fits(stored ?? {}, schemaOf('profiles'))).toBe(true);
    const event = { _id: new Binary(Buffer.from('x')), ws: 'demo', name: 'seen', properties: '{}' };
    expect(fits(event, schemaOf('events'))).toBe(true);
    const request = { _id: 'r', ws: 'demo', op: 'users.track', at: 1, state: 'applied', applied: new Date() };
    const done = { ...request, expires: new Date(), entries: { attributes: ['updated'] } };
    expect(fits(done, schemaOf('requests'))).toBe(true);
    for (const entries of [{ attributes: 'updated' }, { attributes: [1] }, ['updated'], { 'a.b': [] }])
      expect(fits({ ...done, entries }, schemaOf('requests'))).toBe(false);
    expect(fits({ ...event, revenue: 1 }, schemaOf('events'))).toBe(false);
  });
});

describe('a test database', () => {
  it('does not close in peace over a document that does not fit, and is dropped all the same', async () => {
    const other = await testMongo();
    const open = await mongoose.createConnection(other.url, { runtimeAdapters: { os } }).asPromise();
    await open.collection<{ _id: string }>('profiles').insertOne({ ...ada, ws: 7 } as never);
    await expect(other.close()).rejects.toThrow("profiles 'ada' ws: is 7");
    expect(await open.listCollections()).toEqual([]);
    await open.close();
  });
});

import os from 'node:os';
import { foreignMongo, patient, type TestServer, testMongo, useStore } from '@roster/testkit';
import mongoose from 'mongoose';
import { openStore } from '../connection/open-store.ts';

const { Binary, Decimal128, MongoClient } = mongoose.mongo;

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
afterEach(async () => {
  for (const collection of await db.collections()) await collection.deleteMany({});
});

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
const purchase = {
  ...{ _id: new Binary(Buffer.from('y')), ws: 'demo', product_id: 'p', currency: 'EUR', price: 1.5 },
  ...{ quantity: 1, revenue: Decimal128.fromString('1.5') },
};
const fitting = { profiles: ada, events: event, purchases: purchase, requests: request };

interface Rule {
  operatorName?: string;
  propertyName?: string;
  missingProperties?: string[];
  additionalProperties?: string[];
  [detail: string]: unknown;
}

/** The innermost rules that a document breaks, each with the members that it names. */
const broken = (rule: unknown): string[] => {
  if (Array.isArray(rule)) return rule.flatMap(broken);
  if (typeof rule !== 'object' || rule === null) return [];
  const { operatorName, propertyName, specifiedAs: _, ...details } = rule as Rule;
  const { missingProperties, additionalProperties, ...rest } = details;
  const names =
    missingProperties ??
    (additionalProperties?.every((one) => typeof one === 'string') && additionalProperties);
  if (names) return [`${operatorName}: ${names.join()}`];
  const inside = broken([additionalProperties, ...Object.values(rest)]);
  if (propertyName !== undefined) return inside.map((one) => `${propertyName}.${one}`);
  return inside.length > 0 || operatorName === undefined ? inside : [operatorName];
};

/** What MongoDB says to these members instead of those of a document that fits. */
const saidTo = async (members: object, collection: keyof typeof fitting = 'profiles'): Promise<string[]> => {
  const document = { ...fitting[collection], ...members };
  const error = await db
    .collection(collection)
    .insertOne(document as never)
    .then(
      () => undefined,
      (refused: mongoose.mongo.MongoServerError) => refused,
    );
  if (!error) return [];
  expect(error.code).toBe(121);
  return broken(error.errInfo?.details);
};

describe('a database that judges', () => {
  it('takes a document in which every member is described', async () => {
    const counted = { k: 'n', v: 1, at: 0, base: null, steps: [{ at: 1, n: 0, inc: 1 }] };
    const full = { external_id: '', former_ids: [''], ws: '', custom: [...ada.custom, counted] };
    expect(await saidTo(full)).toEqual([]);
    for (const name of ['events', 'purchases', 'requests'] as const)
      expect(await saidTo({}, name)).toEqual([]);
  });

  it.each([
    ['an unknown member', { nickname: 'A' }, 'additionalProperties: nickname'],
    [
      'an unknown member of a part',
      { consents: [{ ...said, earlier: [{ v: null, at: 1, why: 'x' }] }] },
      'consents.earlier.additionalProperties: why',
    ],
    [
      'an unknown field',
      { fields: { nickname: { v: 'A', at: 1 } } },
      'fields.additionalProperties: nickname',
    ],
    ['a number for a text', { ws: 7 }, 'ws.bsonType'],
    ['a text for a number', { created_at: '1' }, 'created_at.bsonType'],
    ['an infinite number', { created_at: Number.POSITIVE_INFINITY }, 'created_at.maximum'],
    ['one value for a list', { absorbed: 'bob' }, 'absorbed.bsonType'],
    ['null in a list', { absorbed: [null] }, 'absorbed.bsonType'],
    ['null for a part of a list', { custom: [null] }, 'custom.bsonType'],
    ['a number of 64 bits for a double', { updated_at: 2n ** 60n }, 'updated_at.bsonType'],
    ['a value that is none of a union', { consents: [{ ...said, v: 'maybe' }] }, 'consents.v.enum'],
    ['false for a mark', { consents: [{ ...said, gone: false }] }, 'consents.gone.enum'],
    [
      'nothing for a member that is always there',
      { consents: [{ k: 'email', at: 2 }] },
      'consents.required: v',
    ],
    ['nothing for a value', { custom: [{ k: 'a', at: 2 }] }, 'custom.required: v'],
    ['null for a member that may only be absent', { external_id: null }, 'external_id.bsonType'],
    ['a document without a member that is always there', { ws: undefined }, 'required: ws'],
  ])('refuses %s', async (_what, members, expected) => {
    expect(await saidTo(members)).toEqual([expected]);
  });

  it.each([[{ attributes: 'updated' }], [{ attributes: [1] }], [['updated']], [{ 'a.b': [] }], [{ $a: [] }]])(
    'refuses a map of lists of texts that is %j',
    async (entries) => {
      expect(await saidTo({ entries }, 'requests')).toEqual([expect.stringMatching(/^entries\./)]);
    },
  );

  it('refuses a date that is a text, a decimal that is a number, bytes that are a text', async () => {
    expect(await saidTo({ expires: '2026-01-01' }, 'requests')).toEqual(['expires.bsonType']);
    expect(await saidTo({ revenue: 1 }, 'purchases')).toEqual(['revenue.bsonType']);
    expect(await saidTo({ _id: 'x' }, 'events')).toEqual(['_id.bsonType']);
  });

  it('refuses what is no number at all', async () => {
    expect(await saidTo({ created_at: Number.NaN })).toContain('created_at.minimum');
  });

  it('refuses a member of an event that only purchases have', async () => {
    expect(await saidTo({ revenue: 1 }, 'events')).toEqual(['additionalProperties: revenue']);
  });

  it('refuses an update as well', async () => {
    await db.collection('profiles').insertOne(ada as never);
    const update = db.collection('profiles').updateOne({}, { $set: { ws: 7 } });
    await expect(update).rejects.toMatchObject({ code: 121 });
  });

  it('refuses rows of generations, which are made later', async () => {
    const store = await openStore({ url: server.url, appName: 'test', ...patient, ensureIndexes: true });
    await store.close();
    const rows = db.collection('events_1');
    await expect(rows.insertOne({ ...event, price: 1 } as never)).rejects.toMatchObject({ code: 121 });
    await rows.insertOne(event as never);
  });

  it('knows only the id of settings', async () => {
    await db.collection('workspaces').insertOne({ _id: 'demo', any: { thing: 1 } } as never);
    await expect(db.collection('workspaces').insertOne({ any: 1 })).rejects.toMatchObject({ code: 121 });
  });
});

describe('a database of a store', () => {
  const refusesIn = async (url: string, validates: boolean): Promise<boolean> => {
    const store = await openStore({ url, appName: 'test', ...patient, validates, ensureIndexes: true });
    const { db: opened, profiles } = store;
    const refuses = await profiles.insertOne({ ...ada, ws: 7 } as never).then(
      () => false,
      ({ code }) => code === 121,
    );
    await opened.dropDatabase();
    await store.close();
    return refuses;
  };

  it('does not judge, unless it is asked to', async () => {
    expect(await refusesIn(foreignMongo(), false)).toBe(false);
    expect(await refusesIn(foreignMongo(), true)).toBe(true);
  });
});

describe('a test database', () => {
  const test = useStore({ open: openStore });

  it('judges, also when it is the one of earlier test files', async () => {
    const unlike = { _id: 'a', profile: 'p', at: 1, nickname: 'A' };
    await expect(test.identities.insertOne(unlike)).rejects.toMatchObject({ code: 121 });
  });

  it('does not close in peace over a collection that no schema describes, and is dropped all the same', async () => {
    const other = await testMongo();
    const open = client.db(new URL(other.url).pathname.slice(1));
    await open.collection('leftovers').insertOne({});
    await expect(other.close()).rejects.toThrow('no schema describes the collection leftovers');
    expect(await open.collections()).toEqual([]);
  });
});

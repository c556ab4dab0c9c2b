import { createSignal, patient, type TestServer, testMongo, until } from '@roster/testkit';
import { classify } from './connection/classify.ts';
import type { Session } from './connection/db.ts';
import { openStore, type Store, type StoreOptions } from './connection/open-store.ts';
import released from './models/released-indexes.json' with { type: 'json' };

let server: TestServer;
let store: Store;

beforeAll(async () => {
  server = await testMongo();
  store = await openStore({
    url: server.url,
    appName: 'store-test',
    ...patient,
    ensureIndexes: true,
  });
});
afterAll(async () => {
  await store.close();
  await server.close();
});

const claim = (_id: string, profile = 'p1') => ({ _id, profile, at: 1 });

describe('a transaction', () => {
  it('runs again after a conflict, and counts how often', async () => {
    await store.identities.insertOne(claim('demo:e:hot', '0'));
    const conflicts: number[] = [];
    const increment = () =>
      store.transact(
        async (session) => {
          const found = await store.identities.findOne({ _id: 'demo:e:hot' }, { session });
          const next = String(Number(found?.profile) + 1);
          await store.identities.updateOne({ _id: 'demo:e:hot' }, { $set: { profile: next } }, { session });
        },
        { onConflict: (_, attempt) => conflicts.push(attempt) },
      );
    await Promise.all(Array.from({ length: 6 }, increment));
    expect((await store.identities.findOne({ _id: 'demo:e:hot' }))?.profile).toBe('6');
    expect(conflicts.length).toBeGreaterThan(0);
  });

  it('tells its work the number of the attempt, after a duplicate key too', async () => {
    await store.identities.insertOne(claim('demo:e:taken'));
    const attempts: number[] = [];
    await store.transact(async (session, attempt) => {
      attempts.push(attempt);
      if (attempt === 0) await store.identities.insertOne(claim('demo:e:taken'), { session });
    });
    expect(attempts).toEqual([0, 1]);
  });

  it('gives up a conflict that does not end, so that the caller can decide', async () => {
    const stuck = store.transact(
      (session) => store.identities.insertOne(claim('demo:e:taken'), { session }),
      { patienceMs: 50 },
    );
    await expect(stuck).rejects.toMatchObject({ code: 11000 });
  });

  it.each(['one', 'many'])(
    'ends when it takes too long, also while it writes %s, and nothing of it is stored',
    async (number) => {
      let stored: unknown;
      const write = (session: Session, _id: string): Promise<unknown> =>
        number === 'one'
          ? store.identities.insertOne(claim(_id), { session })
          : store.identities.insertMany([claim(_id)], { session });
      const slow = store.transact(
        async (session) => {
          await write(session, `demo:e:slow-1-${number}`);
          await until(() => session.hasEnded);
          stored = await write(session, `demo:e:slow-2-${number}`).catch((error: unknown) => error);
          throw stored;
        },
        { limitMs: 1_500 },
      );
      const error = await slow.catch((caught: unknown) => caught);
      expect(classify(error)).toBe('too long');
      expect((error as Error).message).toBe('its transaction took longer than 1.5 s');
      expect(stored).toBeInstanceOf(Error);
      const slowOnes = { _id: { $regex: `^demo:e:slow.*${number}$` } };
      expect(await store.identities.countDocuments(slowOnes)).toBe(0);
      await store.transact((session) => write(session, `demo:e:slow-3-${number}`));
      expect(await store.identities.countDocuments(slowOnes)).toBe(1);
    },
  );
});

describe('the indexes', () => {
  it('are all there after they were created, twice', async () => {
    await store.indexes.ensure();
    expect(await store.indexes.compare()).toEqual({ missing: [], different: [], extra: [] });
  });

  it('are compared: missing, different, or not declared', async () => {
    const { db, requests } = store;
    await db.collection('totals').dropIndex('by_profile');
    await db.collection('totals').createIndex({ name: 1 }, { name: 'by_hand' });
    await requests.dropIndex('by_expiry');
    await requests.createIndex({ expires: 1 }, { name: 'by_expiry' });
    const report = await store.indexes.compare();
    expect(report.missing.map(({ collection, name }) => [collection, name])).toEqual([
      ['totals', 'by_profile'],
    ]);
    expect(report.different.map(({ collection }) => collection)).toEqual(['requests']);
    expect(report.extra).toEqual([{ collection: 'totals', name: 'by_hand' }]);
  });

  it.each([
    ['by_email', { ws: 'demo', email_key: { $in: ['a@b.co', 'c@d.co'] } }],
    ['by_phone', { ws: 'demo', phone_key: { $in: ['+15005550006'] } }],
    ['by_email', { ws: 'demo', email_key: 'a@b.co' }],
    ['by_device', { ws: 'demo', device_keys: 'd-1' }],
    ['by_token', { ws: 'demo', token_keys: { $in: ['3:web:t-1', '3:web:t-2'] } }],
    ['by_absorbed', { ws: 'demo', absorbed: '00a1' }],
    ['by_past_contact', { ws: 'demo', 'contacts.v': { $in: ['a@b.co', 'c@d.co'] }, contacts_at: { $gt: 1 } }],
  ])('serve the query they were made for: %s', async (name, filter) => {
    const explained = await store.profiles.find(filter).explain('queryPlanner');
    expect(JSON.stringify(explained.queryPlanner.winningPlan)).toContain(`"indexName":"${name}"`);
  });

  it('each state the query that needs them', () => {
    for (const { reason } of store.indexes.all) expect(reason).toMatch(/^[A-Z].+\.$/);
  });

  it('are on members that documents have', () => {
    for (const { collection, key } of store.indexes.all) {
      const { schema } = store.models[collection];
      expect(Object.keys(key).filter((path) => schema.pathType(path) === 'adhocOrUndefined')).toEqual([]);
    }
  });
});

describe('a process of a version', () => {
  const opened: Store[] = [];
  let empty: TestServer;
  beforeEach(async () => {
    empty = await testMongo();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
    await empty.close();
  });

  const open = async (more: Partial<StoreOptions> = {}): Promise<Store> => {
    const one = await openStore({ url: empty.url, appName: 'store-test', ...patient, ...more });
    opened.push(one);
    return one;
  };

  it('waits until the database is prepared for it, and says what to do', async () => {
    const told: unknown[] = [];
    const prepared = createSignal();
    const onWaiting = (error: unknown): void => {
      told.push(error);
      prepared.give();
    };
    const waiting = open({ whenPrepared: true, onWaiting });
    await prepared.given;
    expect(String(told[0])).toMatch(
      /\w+ and \d+ more is missing\)\. It waits for this command: roster migrate$/,
    );
    await (await open()).indexes.ensure();
    await (await waiting).ping();
  });

  it('waits for one index, and does not look at what stands under its name', async () => {
    const store = await open({ ensureIndexes: true });
    await store.requests.dropIndex('by_expiry');
    const options = { whenPrepared: true, patienceMs: 0 };
    await expect(open(options)).rejects.toThrow('(requests.by_expiry is missing)');
    await store.requests.createIndex({ expires: 1 }, { name: 'by_expiry' });
    await (await open(options)).ping();
  });
});

it('an index that was released keeps its name and its definition: one that changes gets another name', () => {
  const now = new Map(
    store.indexes.all.map(({ collection, name, key, options = {} }) => [
      `${collection}.${name}`,
      JSON.stringify({ key, options }),
    ]),
  );
  const changed = Object.entries(released).filter(
    ([name, definition]) => now.has(name) && now.get(name) !== JSON.stringify(definition),
  );
  expect(changed).toEqual([]);
});

describe('outcomes', () => {
  const request = { id: 'r1-abc', ws: 'demo', op: 'users.track', at: 1_763_000_000_000_000 };

  it('of a failed request can be read, by its own workspace only; the last failure counts', async () => {
    for (const reason of ['BSONObjectTooLarge: too large', 'again']) {
      await store.outcomes.fail(request, reason);
      expect(await store.outcomes.read('demo', request.id)).toMatchObject({ state: 'failed', reason });
    }
    expect(await store.outcomes.read('other', request.id)).toBeUndefined();
  });

  it('of an applied request stay', async () => {
    const { id: _, ...sent } = request;
    const [applied, expires] = [new Date(), new Date(Date.now() + 1e6)];
    const entries = { events: ['updated*3'] };
    await store.requests.insertOne({ ...sent, _id: 'r2-abc', applied, expires, state: 'applied', entries });
    await store.outcomes.fail({ ...request, id: 'r2-abc' }, 'too late');
    expect(await store.outcomes.read('demo', 'r2-abc')).toMatchObject({
      id: 'r2-abc',
      state: 'applied',
      entries: { events: ['updated', 'updated', 'updated'] },
    });
  });
});

describe('owners', () => {
  it('are read for external ids and aliases in any script, and for documents of another shape', async () => {
    const ids = ['demo:e:élodie', 'demo:a:3:crm:日本語', 'demo:e:😀', `demo:e:${'x'.repeat(900)}`];
    const stamp = 1_763_000_000_000_000;
    await store.identities.insertMany(
      ids.map((_id, index) => ({ _id, profile: `profile-${index}`, at: stamp + index })),
    );
    await store.identities.updateOne(
      { _id: 'demo:m:a@b.co' },
      { $set: { at: 1, profile: 'p9' } },
      { upsert: true },
    );
    await store.identities.updateOne({ _id: 'demo:e:😀' }, { $set: { profile: 'p8', moved: stamp + 9 } });
    const owners = await store.ownersOf([...ids, 'demo:m:a@b.co', 'demo:e:nobody']);
    expect([...owners].toSorted()).toEqual(
      [
        ...ids
          .map((id, index) => [id, { profile: `profile-${index}`, at: stamp + index }])
          .filter(([id]) => id !== 'demo:e:😀'),
        ['demo:e:😀', { profile: 'p8', at: stamp + 2, moved: stamp + 9 }],
        ['demo:m:a@b.co', { profile: 'p9', at: 1 }],
      ].toSorted(),
    );
    expect(await store.ownersOf([])).toEqual(new Map());
  });
});

describe('records', () => {
  it('are put, replaced, read and listed whole', async () => {
    const key = { id: 'k1', ws: 'demo', name: 'first', permissions: ['*'] };
    await store.keys.put(key);
    const next = { ...key, name: 'second', revoked: '2026-01-01T00:00:00.000Z' };
    await store.keys.put(next);
    await store.keys.put({ id: 'k2', ws: 'other' });
    expect(await store.keys.get('k1')).toEqual(next);
    expect(await store.keys.list({ ws: 'demo' })).toHaveLength(1);
    expect((await store.keys.list()).map(({ id }) => id)).toEqual(['k1', 'k2']);
    expect(await store.workspaces.get('nobody')).toBeUndefined();
  });
});

describe('a MongoDB that is not there', () => {
  it('is reported after the patience of the caller', async () => {
    const nowhere = 'mongodb://127.0.0.1:1/roster?replicaSet=rs0';
    const waited: unknown[] = [];
    const opening = openStore({
      url: nowhere,
      appName: 'nowhere',
      selectionTimeoutMs: 100,
      patienceMs: 3_000,
      onWaiting: (error) => waited.push(error),
    });
    await expect(opening).rejects.toThrow(/ECONNREFUSED|127\.0\.0\.1:1/);
    expect(waited.length).toBeGreaterThan(0);
  });

  it('is seen by a ping', async () => {
    expect(await store.ping()).toBe(true);
    const other = await openStore({ url: server.url, appName: 'closing' });
    await other.close();
    expect(await other.ping()).toBe(false);
  });
});

/** The two siblings of `/users/track`: what a good request does, who may send it, and how much. */
import { createKey, publishKey } from '@roster/access';
import { testSecret as secret } from '@roster/testkit';
import { useWorkspace } from '../shared.ts';
import { waiting } from '../system.ts';

const system = useWorkspace('sync-and-bulk');

const sync = '/users/track/sync';
const bulk = '/users/track/bulk';
const time = '2026-01-01T12:00:00Z';

const post = (path: string, body: object | string, headers: Record<string, string> = {}) =>
  system.insist((caller) => caller.post(path).type('json').send(body).set(headers));

const keyWith = async (...permissions: string[]): Promise<{ authorization: string }> => {
  const { key, record } = createKey({ ws: system.ws, name: 'some', permissions, pepper: secret });
  await publishKey(system.redis, record);
  return { authorization: `Bearer ${key}` };
};

describe('/users/track/sync', () => {
  it('answers with how often an event happened, and how many were bought', async () => {
    const recently = new Date(Date.now() - 60_000).toISOString();
    const event = { external_id: 'bob', name: 'seen', time: recently };
    await post(sync, { events: [event] });
    const seen = { name: 'seen', first: recently, last: recently, count: 2 };
    expect((await post(sync, { events: [event] })).body).toEqual({
      message: 'success',
      users: [{ external_id: 'bob', custom_events: [seen] }],
    });
    const purchase = {
      external_id: 'bob',
      product_id: 'tea',
      currency: 'USD',
      price: 2,
      quantity: 3,
      time: recently,
    };
    expect((await post(sync, { purchases: [purchase] })).body).toMatchObject({
      users: [{ external_id: 'bob', purchase_events: [{ product_id: 'tea', count: 3 }] }],
    });
  });

  it('answers with nobody when only existing people were to be updated', async () => {
    const entry = { external_id: 'nobody', _update_existing_only: true, colour: 'red' };
    const { status, body } = await post(sync, { attributes: [entry] });
    expect([status, body]).toEqual([201, { message: 'success', users: [] }]);
  });
});

describe('/users/track/bulk', () => {
  it('takes 1,000 entries at once, and applies them', async () => {
    const people = Array.from({ length: 500 }, (_, index) => `bulk-${index}`);
    const thousand = {
      attributes: people.map((external_id, n) => ({ external_id, n })),
      events: people.slice(100).map((external_id) => ({ external_id, name: 'seen', time })),
      purchases: people
        .slice(400)
        .map((external_id) => ({ external_id, product_id: 'tea', currency: 'USD', price: 2, time })),
    };
    const { status, body } = await post(bulk, thousand, waiting);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      message: 'success',
      attributes_processed: 500,
      events_processed: 400,
      purchases_processed: 100,
      state: 'applied',
    });
    expect(await system.exported('bulk-499', ['custom_attributes', 'total_revenue'])).toEqual({
      custom_attributes: { n: 499 },
      total_revenue: 2,
    });
    expect(await system.store.profiles.countDocuments({ external_id: { $in: people } })).toBe(500);
    const seen = (await system.store.events.find()).filter(
      (row) => row.name === 'seen' && row.time.getTime() === Date.parse(time),
    );
    expect(seen).toHaveLength(400);
  });

  it('refuses what is bad, and takes the rest', async () => {
    const { status, body } = await post(bulk, {
      events: [
        { external_id: 'eve', name: 'seen', time },
        { external_id: 'eve', name: 'seen' },
      ],
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      message: 'success',
      events_processed: 1,
      errors: [{ type: "'time' is required", code: 'FIELD_REQUIRED', input_array: 'events', index: 1 }],
    });
  });
});

describe('a key', () => {
  const body = { attributes: [{ external_id: 'key', colour: 'red' }] };

  it.each([
    ['users.track', [sync, bulk]],
    ['users.track.sync', ['/users/track', bulk]],
    ['users.track.bulk', ['/users/track', sync]],
  ])('that may %s may none of its siblings', async (permission, paths) => {
    const headers = await keyWith(permission);
    for (const path of paths) {
      const answer = await post(path, body, headers);
      expect([path, answer.status, answer.body]).toEqual([
        path,
        403,
        { message: 'Access Denied', code: 'ACCESS_DENIED' },
      ]);
    }
    const own = `/${permission.replaceAll('.', '/')}`;
    expect((await post(own, body, headers)).status).toBe(201);
  });
});

describe('a body', () => {
  const MB = 1024 * 1024;

  /** One good attribute object among white space: so many bytes. */
  const padded = (id: string, bytes: number): string => {
    const body = JSON.stringify({ attributes: [{ external_id: id, colour: 'red' }] });
    return `${body}${' '.repeat(bytes - body.length)}`;
  };

  it.each([
    [bulk, 2 * MB],
    [sync, 4 * MB],
    ['/users/track', 6 * MB],
  ])('of %s may have %d bytes, and no more', async (path, most) => {
    const [fits, exceeds] = [`fits-${most}`, `exceeds-${most}`];
    const taken = await post(path, padded(fits, most), waiting);
    expect(taken.status).toBe(201);
    const refused = await post(path, padded(exceeds, most + 1));
    expect([refused.status, refused.body.message]).toEqual([413, 'Request Entity Too Large']);
    expect(await system.exported(fits, ['external_id'])).toEqual({ external_id: fits });
    expect(await system.exported(exceeds, ['external_id'])).toBeUndefined();
  });
});

import { leaveEvents } from '@roster/queue';
import { createLog } from '@roster/runtime';
import { openStore, type Store } from '@roster/store';
import { type TestServer, testMongo, testRedis } from '@roster/testkit';
import { Redis } from 'ioredis';
import { collectEvents } from './collect-events.ts';

jest.setTimeout(60_000);

const event = {
  event: 'key.refused',
  by: 'key:k1',
  ws: 'shop',
  reason: 'expired',
  count: 3,
  first: 1,
  last: 2,
};

describe('security events of the ingress', () => {
  let servers: [TestServer, TestServer];
  let redis: Redis;
  let store: Store;
  const log = createLog({ service: 'monitor', level: 'silent' });

  beforeAll(async () => {
    servers = [await testRedis(), await testMongo()];
    redis = new Redis(servers[0].url);
    store = await openStore({
      url: servers[1].url,
      appName: 'test',
      patienceMs: 10_000,
      ensureIndexes: true,
    });
  });
  afterAll(async () => {
    await store.close();
    redis.disconnect();
    for (const server of servers) await server.close();
  });

  const collecting = (openStore: () => Promise<Store>) =>
    collectEvents({ redis, openStore, log, everyMs: 1_000_000 });

  it('come into the audit log, once, also when the monitor dies in between', async () => {
    await leaveEvents(redis, [event, event]);
    const [batch = ''] = await redis.lrange('roster:security', 0, -1);
    const collector = collecting(async () => store);
    await collector.collect();
    await redis.rpush('roster:security', batch);
    await collector.collect();
    await collector.stop();
    const rows = await store.audit.list();
    expect(rows.map(({ what, by, target, set }) => ({ what, by, target, set }))).toMatchObject(
      [1, 2].map(() => ({
        what: 'key.refused',
        by: 'key:k1',
        target: 'shop',
        set: { count: 3, reason: 'expired' },
      })),
    );
    expect(await redis.llen('roster:security')).toBe(0);
  });

  it('wait in Redis while MongoDB is away, and are bounded there', async () => {
    const collector = collecting(() => Promise.reject(new Error('away')));
    for (let batch = 0; batch < 250; batch++) await leaveEvents(redis, [event]);
    await collector.collect();
    await collector.stop();
    expect(await redis.llen('roster:security')).toBe(200);
  });
});

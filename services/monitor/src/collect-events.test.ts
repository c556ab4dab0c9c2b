import { leaveEvents } from '@roster/queue';
import { createLog } from '@roster/runtime';
import type { Store } from '@roster/store';
import { useServers } from '@roster/testkit';
import { collectEvents } from './collect-events.ts';

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
  const servers = useServers();
  const log = createLog({ service: 'monitor', level: 'silent' });

  const collecting = (openStore: () => Promise<Store>) =>
    collectEvents({ redis: servers.redis, openStore, log, everyMs: 1_000_000 });

  it('come into the audit log, once, also when the monitor dies in between', async () => {
    await leaveEvents(servers.redis, [event, event]);
    const [batch = ''] = await servers.redis.lrange('roster:security', 0, -1);
    const collector = collecting(async () => servers.store);
    await collector.now();
    await servers.redis.rpush('roster:security', batch);
    await collector.now();
    await collector.stop();
    const rows = await servers.store.audit.list();
    expect(rows.map(({ what, by, target, set }) => ({ what, by, target, set }))).toMatchObject(
      [1, 2].map(() => ({
        what: 'key.refused',
        by: 'key:k1',
        target: 'shop',
        set: { count: 3, reason: 'expired' },
      })),
    );
    expect(await servers.redis.llen('roster:security')).toBe(0);
  });

  it('wait in Redis while MongoDB is away, and are bounded there', async () => {
    const collector = collecting(() => Promise.reject(new Error('away')));
    for (let batch = 0; batch < 250; batch++) await leaveEvents(servers.redis, [event]);
    await collector.now();
    await collector.stop();
    expect(await servers.redis.llen('roster:security')).toBe(200);
  });
});

import { createLog, createMetrics } from '@roster/runtime';
import { openStore } from '@roster/store';
import { serviceId, testRedis, useStore } from '@roster/testkit';
import { scheduleMerging } from './schedule-merging.ts';

jest.setTimeout(60_000);

const store = useStore({ open: (options) => openStore({ ...options, generations: { rows: 3 } }) });

const event = (n: number) => ({
  request: `r${n}`,
  index: 0,
  ws: 'demo',
  profile: serviceId('p1'),
  name: 'seen',
  at: n,
  time: new Date(1_000),
});

it('generations are merged by the schedule, and the metrics tell', async () => {
  for (let n = 0; n < 48; n += 3) {
    await store.events.insert([event(n), event(n + 1), event(n + 2)]);
    await store.events.generations.look();
  }
  const closed = new Date(Date.now() - 2 * 60 * 60 * 1000);
  const generations = store.models.generations?.db.collection('generations');
  await generations?.updateMany({ closed: { $exists: true } }, { $set: { closed } });

  const redis = await testRedis();
  const metrics = createMetrics({ service: 'track' });
  const log = createLog({ service: 'track', level: 'silent' });
  const context = {
    config: { REDIS_URL: redis.url },
    metrics,
    log,
    admin: { port: 0, close: async () => {} },
  };
  const schedule = await scheduleMerging(context, store);
  let text = '';
  for (let tries = 0; tries < 800 && !/roster_merging_runs_total\{result="done".*\} 1/.test(text); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    text = await metrics.text();
  }
  await schedule.close();
  await redis.close();
  expect(text).toMatch(/roster_merging_rows_total\{collection="events".*\} 48/);
  expect(text).toMatch(/roster_generations\{collection="events".*\} 1/);
  expect(await store.events.count([serviceId('p1')])).toBe(48);
});

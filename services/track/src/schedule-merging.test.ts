import { openStore } from '@roster/store';
import { anEvent, contextOf, serviceId, until, useRedis, useStore } from '@roster/testkit';
import { scheduleMerging } from './schedule-merging.ts';

const store = useStore({ open: (options) => openStore({ ...options, generations: { rows: 3 } }) });

const { url } = useRedis();

it('generations are merged by the schedule, and the metrics tell', async () => {
  for (let n = 0; n < 48; n += 3) {
    await store.events.insert([n, n + 1, n + 2].map((at) => anEvent(serviceId('p1'), { at })));
    await store.events.generations.look();
  }
  const closed = new Date(Date.now() - 2 * 60 * 60 * 1000);
  const generations = store.db.collection('generations');
  await generations.updateMany({ closed: { $exists: true } }, { $set: { closed } });

  const context = await contextOf('track', { redisUrl: url });
  const schedule = await scheduleMerging(context, store);
  let text = '';
  await until(async () => {
    text = await context.metrics.text();
    return text.includes('roster_merging_runs_total{result="done"');
  });
  await schedule.close();
  expect(text).toMatch(/roster_merging_rows_total\{collection="events".*\} 48/);
  expect(text).toMatch(/roster_generations\{collection="events".*\} 1/);
  expect(await store.events.count([serviceId('p1')])).toBe(48);
});

import { askNow, scheduleOf } from '@roster/queue';
import { anEvent, contextOf, serviceId, until, useRedis, useStore } from '@roster/testkit';
import { scheduleRetention } from './schedule-retention.ts';

const store = useStore();
const { url, redis } = useRedis();

const day = 24 * 60 * 60 * 1000;
const event = (daysAgo: number) => anEvent(serviceId('p1'), { time: new Date(Date.now() - daysAgo * day) });

it('retention runs by the schedule, at the time of its slot, and on demand; the metrics tell', async () => {
  await store.events.insert([event(95), event(1)]);
  const lines: object[] = [];
  const context = await contextOf('track', { redisUrl: url });
  context.log.info = ((line: object) => void lines.push(line)) as unknown as typeof context.log.info;
  const { metrics } = await contextOf('track', { redisUrl: url });
  // Two processes have one schedule.
  const [one, two] = [
    await scheduleRetention(context, store),
    await scheduleRetention({ ...context, metrics }, store),
  ];
  await until(async () => (await store.events.find()).length === 1 && lines.length > 0);
  expect(lines).toEqual([expect.objectContaining({ events: 1, purchases: 0, due: expect.any(Date) })]);
  expect(Math.abs(Number((lines[0] as { due: Date }).due) - Date.now())).toBeLessThan(2 * day);

  await store.events.insert([event(91)]);
  const asking = await askNow(redis, scheduleOf('retention'), { workspace: 'demo' });
  await until(async () => (await asking.look()).state === 'done');
  expect(await asking.look()).toMatchObject({ result: { events: 1, purchases: 0 } });
  await asking.close();
  expect((await store.totals.find())[0]).toMatchObject({ profile: serviceId('p1'), name: 'seen', count: 2 });
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatchObject({ ws: 'demo', events: 1 });
  await Promise.all([one.close(), two.close()]);
  const text = await context.metrics.text();
  for (const name of ['rows_total', 'runs_total', 'oldest_row_seconds'])
    expect(text).toContain(`roster_retention_${name}`);
});

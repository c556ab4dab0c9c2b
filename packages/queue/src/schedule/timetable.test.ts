import { until, useServers } from '@roster/testkit';
import { Queue } from 'bullmq';
import { timetable } from '../names.ts';
import { createTimetable } from './timetable.ts';

const servers = useServers();

it('calls each thing at its times, once for all processes, until it is held no more', async () => {
  const seen: string[] = [];
  const open = () =>
    createTimetable({
      url: servers.redisUrl,
      queue: timetable,
      run: async (thing, origin) => seen.push(`${thing} ${origin}`),
    });
  const [first, second] = [open(), open()];
  const wanted = new Map([
    ['a', '* * * * * *'],
    ['b', '0 0 1 1 *'],
  ]);
  await Promise.all([first.hold(wanted), second.hold(wanted)]);
  await until(() => seen.length >= 2);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.every((one) => /^a repeat:a:\d{13}$/.test(one))).toBe(true);

  await second.hold(new Map());
  const { name, prefix } = timetable;
  const jobs = new Queue(name, { connection: servers.redis, prefix });
  expect(await jobs.getJobSchedulers()).toEqual([]);
  await until(async () => (await jobs.getJobCountByTypes('active', 'delayed', 'waiting')) === 0);
  await jobs.close();
  await Promise.all([first.close(), second.close()]);
});

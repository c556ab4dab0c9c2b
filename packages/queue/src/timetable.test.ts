import { useServers } from '@roster/testkit';
import { timetable } from './names.ts';
import { createTimetable } from './timetable.ts';

const servers = useServers();

const until = async (isSo: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 400 && !isSo(); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 25));
};

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
  expect(seen.length).toBeGreaterThanOrEqual(2);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.every((one) => /^a repeat:a:\d{13}$/.test(one))).toBe(true);
  await second.hold(new Map());
  await new Promise((resolve) => setTimeout(resolve, 300));
  const before = seen.length;
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(seen.length).toBe(before);
  await Promise.all([first.close(), second.close()]);
});

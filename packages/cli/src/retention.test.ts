import { completeSettings } from '@roster/access';
import { createSchedule, type Schedule, scheduleOf } from '@roster/queue';
import { useServers } from '@roster/testkit';
import { run } from './test-io.ts';

describe('roster retention run', () => {
  let service: Schedule | undefined;

  const servers = useServers(async ({ store }) => {
    await store.workspaces.put(completeSettings({ id: 'shop' }));
    return async () => service?.close();
  });

  const roster = (line = '') =>
    run(`retention run ${line}`, { env: { REDIS_URL: servers.redisUrl, MONGO_URL: servers.mongoUrl } });

  it('reports that no process has begun', async () => {
    const { code, out } = await roster('--wait 0');
    expect([code, out]).toEqual([0, expect.stringContaining('is a track service running?')]);
  });

  it('refuses a workspace that is not there', async () => {
    expect(await roster('--workspace nobody')).toMatchObject({ code: 3 });
  });

  it('waits for the end, and says what was done or what went wrong', async () => {
    const asked: unknown[] = [];
    service = await createSchedule({
      url: servers.redisUrl,
      queue: scheduleOf('retention'),
      everyMs: 3_600_000,
      async run(occasion) {
        asked.push(occasion.asked);
        if (asked.length > 2 && JSON.stringify(occasion.asked) === '{}') throw new Error('it broke');
        return { events: 7, purchases: 2, oldest: {} };
      },
    });
    const done = await roster('--workspace shop');
    expect(done).toMatchObject({ code: 0, out: '7 events and 2 purchases rolled up\n' });
    expect(asked).toContainEqual({ workspace: 'shop' });
    expect(JSON.parse((await roster('--workspace shop --json')).out)).toMatchObject({
      state: 'done',
      result: { events: 7 },
    });
    expect(await roster()).toMatchObject({ code: 1, err: expect.stringContaining('it broke') });
  });
});

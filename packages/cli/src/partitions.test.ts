import { readPartitions } from '@roster/queue';
import { useServers } from '@roster/testkit';
import { run } from './test-io.ts';

describe('roster partitions', () => {
  const servers = useServers();
  const roster = (line: string) =>
    run(line, { env: { REDIS_URL: servers.redisUrl, MONGO_URL: servers.mongoUrl } });

  beforeEach(() => servers.redis.flushdb());

  it('says that there is no number yet', async () => {
    expect(await roster('partitions')).toMatchObject({
      code: 0,
      out: expect.stringContaining('there is no number yet'),
    });
  });

  it('changes the number, shows it, and is in the audit log', async () => {
    expect((await roster('partitions 8')).out).toBe('track has 8 partitions\n');
    expect((await roster('partitions 1')).out).toBe(
      'track has 1 partition\nit had 8: workers still look into the others\n',
    );
    expect(JSON.parse((await roster('partitions --json')).out)).toEqual({ written: 1, read: 8 });
    expect(await readPartitions(servers.redis)).toEqual({ written: 1, read: 8 });
    const { out } = await roster('audit --json');
    const [first, last] = JSON.parse(out);
    expect(first).toMatchObject({ what: 'partitions.set', set: { before: null, after: 8 } });
    expect(last).toMatchObject({ what: 'partitions.set', set: { before: 8, after: 1 } });
  });

  it.each(['0', '257', 'many', '1.5', '-1'])('refuses %s', async (count) => {
    expect((await roster(`partitions ${count.startsWith('-') ? '-- ' : ''}${count}`)).code).toBe(2);
    expect(await readPartitions(servers.redis)).toBeUndefined();
  });
});

import type { AcceptedRequest } from '@roster/contract';
import { createDeadLetters, type DeadLetter, type DeadLetters, queuesOf } from '@roster/queue';
import { useServers } from '@roster/testkit';
import { run } from './test-io.ts';

const person = 'ada@example.org';
const aRequest = (id: string): AcceptedRequest => ({
  id,
  ws: 'demo',
  op: 'users.track',
  at: 1_700_000_000_000_000,
  body: { attributes: [{ external_id: 'ada', email: person }] },
});
const aLetter = (id: string): DeadLetter => ({
  id,
  queue: 'track',
  code: 'BAD_VALUE',
  reason: `cannot store "${person}"`,
  at: '2026-11-21T12:00:00.000Z',
  request: aRequest(id),
});

describe('roster dead', () => {
  let dead: DeadLetters;
  const servers = useServers(async ({ redis }) => {
    dead = createDeadLetters(redis);
    return () => dead.close();
  });
  const env = () => ({
    REDIS_URL: servers.redisUrl,
    MONGO_URL: servers.mongoUrl,
    TRACK_PARTITIONS: '1',
  });

  const roster = (line: string) => run(`dead ${line}`, { env: env() });
  const queued = async () => {
    const [track] = queuesOf('track', 1);
    if (!track) throw new Error('no queue');
    const base = `${track.prefix}:${track.name}`;
    const jobs = await servers.redis.lrange(`${base}:wait`, 0, -1);
    const groups = await Promise.all(jobs.map((job) => servers.redis.hget(`${base}:${job}`, 'data')));
    return groups.flatMap((group) => (JSON.parse(group ?? '').requests as [string][]).map(([id]) => id));
  };

  beforeEach(async () => {
    await servers.redis.flushdb();
    for (const id of ['r1-a', 'r2-b', 'r3-c']) await dead.add(aLetter(id));
  });

  it('lists what could not be applied, without personal data', async () => {
    const { code, out } = await roster('list');
    expect(code).toBe(0);
    expect(out).toMatch(/r1-a .*demo +users\.track +BAD_VALUE +cannot store "\.\.\."/);
    const { total, dead: letters } = JSON.parse((await roster('list --json')).out);
    expect([total, letters.length]).toEqual([3, 3]);
    expect(out + JSON.stringify(letters)).not.toContain('ada');
  });

  it('says how many there are beyond its limit', async () => {
    const { out, err } = await roster('list --limit 2');
    expect(out.trim().split('\n')).toHaveLength(3);
    expect(err).toBe('2 of 3 shown; --limit shows more.\n');
    expect((await roster('list --limit many')).code).toBe(2);
  });

  it('says when there are none', async () => {
    await roster('drop --all');
    expect((await roster('list')).out).toBe('no dead letters\n');
    expect((await roster('retry --all')).out).toBe('no dead letters\n');
  });

  it('shows one whole when it is asked for it', async () => {
    expect(JSON.parse((await roster('show r1-a')).out)).toEqual(aLetter('r1-a'));
    expect((await roster('show r9-z')).code).toBe(3);
  });

  it('queues requests again', async () => {
    expect(await roster('retry r1-a r3-c')).toMatchObject({
      code: 0,
      out: 'r1-a queued\nr3-c queued\n',
    });
    expect((await queued()).sort()).toEqual(['r1-a', 'r3-c']);
    expect((await dead.list()).map(({ id }) => id)).toEqual(['r2-b']);
  });

  it('queues all again', async () => {
    await roster('retry --all');
    expect((await queued()).sort()).toEqual(['r1-a', 'r2-b', 'r3-c']);
    expect(await dead.count()).toBe(0);
  });

  it('drops', async () => {
    expect((await roster('drop r2-b')).out).toBe('r2-b dropped\n');
    expect(await queued()).toEqual([]);
    expect(await dead.count()).toBe(2);
  });

  it('goes on past one that is not there, and exits 3', async () => {
    const { code, out, err } = await roster('drop nobody r1-a');
    expect([code, out]).toEqual([3, 'nobody missing\nr1-a dropped\n']);
    expect(err).toContain('there is no dead letter nobody');
  });

  it('wants to know which', async () => {
    expect((await roster('retry')).code).toBe(2);
    expect((await roster('drop r1-a --all')).code).toBe(2);
    expect(await dead.count()).toBe(3);
  });

  it('has no row in the audit log for what was not there', async () => {
    const before = (await run('audit --json', { env: env() })).out;
    for (const line of ['retry nobody', 'drop nobody', 'drop nobody nothing']) await roster(line);
    await servers.redis.flushdb();
    await roster('retry --all');
    expect((await run('audit --json', { env: env() })).out).toBe(before);
    await dead.add(aLetter('r1-a'));
    await roster('drop nobody r1-a');
    const { out } = await run('audit --limit 1 --json', { env: env() });
    expect(JSON.parse(out)).toMatchObject([{ target: 'r1-a', set: { count: 1, ids: ['r1-a'] } }]);
  });

  it('has a row in the audit log for each retry and drop, with the operator', async () => {
    await roster('drop r1-a');
    await roster('retry --all');
    const { out } = await run('audit --limit 2 --json', { env: env() });
    expect(JSON.parse(out)).toMatchObject([
      { what: 'dead.dropped', set: { count: 1, ids: ['r1-a'] }, by: expect.stringContaining('cli:') },
      { what: 'dead.retried', set: { count: 2, ids: ['r2-b', 'r3-c'] } },
    ]);
  });
});

import { createErasures, type Erasure } from '@roster/queue';
import { useServers } from '@roster/testkit';
import { run } from './test-io.ts';

jest.setTimeout(60_000);

const servers = useServers();
beforeEach(async () => {
  await servers.redis.flushdb();
  await servers.store.requests.deleteMany({});
});

const id = (n: number): string => `r${n}aaaaaaaa-0123abcd`;
const erasure = (n: number): Erasure => ({ id: id(n), ws: 'shop', profiles: [`${n}`.repeat(24)] });

const roster = (args: string[], files: Record<string, string> = {}) =>
  run(['erasures', ...args], { env: { REDIS_URL: servers.redisUrl, MONGO_URL: servers.mongoUrl }, files });
const replay = (...more: string[]) => roster(['replay', '--wait', '0', ...more]);

/** The mark of a request that the backup has. */
const mark = (n: number, applied = new Date()) =>
  servers.store.requests.insertOne({
    _id: id(n),
    ws: 'shop',
    op: 'users.delete',
    at: 1_700_000_000_000_000,
    state: 'applied',
    applied,
    expires: new Date(applied.getTime() + 30 * 24 * 3600 * 1000),
  });

const queued = async (): Promise<string[]> => {
  const jobs = await servers.redis.lrange('{roster:identity}:identity:wait', 0, -1);
  const groups = await Promise.all(
    jobs.map((job) => servers.redis.hget(`{roster:identity}:identity:${job}`, 'data')),
  );
  return groups
    .flatMap((group) => (JSON.parse(group ?? '').requests as [string][]).map(([one]) => one))
    .sort();
};

describe('roster erasures list', () => {
  it('writes a line for each, and since when there are all', async () => {
    await createErasures(servers.redis).keep([erasure(1), erasure(2)]);
    const { code, out, err } = await roster(['list']);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([code, lines]).toEqual([
      0,
      [1, 2].map((n) => ({ request_id: id(n), workspace: 'shop', service_ids: erasure(n).profiles })),
    ]);
    expect(err).toMatch(/^2 lines, every erasure since 20/);
  });
});

describe('roster erasures replay', () => {
  it('queues deletions that the backup does not have, and no others', async () => {
    await createErasures(servers.redis).since();
    await createErasures(servers.redis).keep([erasure(1), erasure(2)]);
    await mark(1);
    const { code, out, err } = await replay();
    expect(await queued()).toEqual([id(2)]);
    expect(out).toBe('1 deletions replayed, 1 were in the backup\n');
    expect([code, err]).toEqual([1, expect.stringContaining('is an identity service running?')]);
    await mark(2);
    expect(await replay()).toMatchObject({ code: 0, out: '0 deletions replayed, 2 were in the backup\n' });
  });

  it('takes those of files and of Redis once', async () => {
    await createErasures(servers.redis).keep([erasure(1)]);
    const saved = (await roster(['list'])).out;
    await createErasures(servers.redis).keep([erasure(1), erasure(2)]);
    await roster(['replay', '--wait', '0', 'saved.ndjson'], { 'saved.ndjson': saved });
    expect(await queued()).toEqual([id(1), id(2)]);
  });

  it('fails when the log begins after the backup ended', async () => {
    await mark(1, new Date(Date.now() - 3_600_000));
    expect(await replay()).toMatchObject({ code: 1, err: expect.stringMatching(/begins at .* are missing/) });
    await createErasures(servers.redis).keep([erasure(1)]);
    const saved = (await roster(['list'])).out;
    const done = await roster(['replay', 'a'], { a: saved });
    expect(done).toMatchObject({ code: 0, err: expect.stringContaining('must stand in the files') });
  });

  it.each([
    ['a line is cut off', (text: string) => text.slice(0, -1)],
    ['a line is something else', (text: string) => `${text}{"people":3}\n`],
    ['an id is not one', (text: string) => text.replace('-0123abcd', '')],
  ])('replays nothing when %s', async (_title, spoil) => {
    await createErasures(servers.redis).keep([erasure(1)]);
    const saved = (await roster(['list'])).out;
    expect(await roster(['replay', 'a'], { a: spoil(saved) })).toMatchObject({ code: 2 });
    expect(await queued()).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { createDeadLetters, queuesOf } from '@roster/queue';
import { aDelivery, usePeer, useServers } from '@roster/testkit';
import { run } from './test-io.ts';

describe('roster status', () => {
  const servers = useServers();
  let isReady = true;
  const api = usePeer((_, response) =>
    response.writeHead(isReady ? 200 : 503).end(isReady ? '' : 'Redis does not answer'),
  );

  const env = () => ({
    REDIS_URL: servers.redisUrl,
    MONGO_URL: servers.mongoUrl,
    TRACK_PARTITIONS: '1',
    ROSTER_URL: api.url,
  });

  beforeEach(async () => {
    isReady = true;
    await servers.redis.flushdb();
  });

  it('says that all parts answer, and that nothing waits', async () => {
    const { code, out } = await run('status', { env: env() });
    expect(out).toMatch(/API +ok +http:\/\/127\.0\.0\.1:\d+ accepts requests/);
    expect(out).toMatch(/Redis +ok +\d+ MB in use; no request waits/);
    expect(out).toMatch(/MongoDB +ok +0 people/);
    expect(out).toMatch(/Dead letters +ok +none/);
    expect(out).toMatch(/Starved processes +ok +none/);
    expect(out).toMatch(/Overdue work +ok +none/);
    expect(code).toBe(0);
  });

  it('tells of a secret whose date has passed', async () => {
    const secrets = {
      ROSTER_SECRET: 'the secret of today',
      ROSTER_SECRET_ALSO: 'the-secret-of-before@2020-01-01',
    };
    const { code, out } = await run('status', { env: { ...env(), ...secrets } });
    expect(out).toMatch(/Secret +ok +secret 1 of ROSTER_SECRET_ALSO signs nothing since 2020-01-01/);
    expect(out).not.toContain('the-secret-of-before');
    expect(code).toBe(0);
    const near = { ...secrets, ROSTER_SECRET_ALSO: 'the-secret-of-before@2026-11-25' };
    expect((await run('status', { env: { ...env(), ...near } })).out).toMatch(
      /Secret +WAIT .*accepted until/,
    );
  });

  it('tells what the running processes know of other secrets, whatever the shell knows', async () => {
    const note = (service: string, until: string[]) =>
      servers.redis.set(
        `{roster:secrets}:${service}`,
        JSON.stringify({ service, host: 'one', until: until.map((day) => `${day}T00:00:00.000Z`) }),
      );
    await note('ingress', ['2020-01-01']);
    await note('track', ['2020-01-01']);
    expect((await run('status', { env: env() })).out).toMatch(
      /Secret +ok +secret 1 of ROSTER_SECRET_ALSO signs nothing since 2020-01-01/,
    );
    await note('track', []);
    expect((await run('status', { env: env() })).out).toMatch(
      /Secret +WAIT +.*ROSTER_SECRET_ALSO\) differ: .*ingress knows 2020-01-01.*; track knows none/,
    );
  });

  it('tells where calls of providers are believed without a signature', async () => {
    const channels = (name: string) => ({ sms: { provider: { env: `ROSTER_CREDENTIAL_${name}` } } });
    const apps = ['SIGNED', 'OPEN', 'SILENT', 'GONE'].map((id) => ({ id, name: id, channels: channels(id) }));
    await servers.store.workspaces.put({ id: 'shop', name: 'Shop', apps });
    const described = { url: 'https://sms.example.com', json: { to: '{to}' } };
    const credentials = {
      ROSTER_CREDENTIAL_SIGNED: { preset: 'twilio', account: 'AC1', token: 't', from: '+15550100' },
      ROSTER_CREDENTIAL_OPEN: { ...described, unsigned_calls: 'accept' },
      ROSTER_CREDENTIAL_SILENT: described,
    };
    const texts = Object.entries(credentials).map(([name, value]) => [name, JSON.stringify(value)]);
    const { code, out } = await run('status', { env: { ...env(), ...Object.fromEntries(texts) } });
    expect(out).toContain(
      'believed without a signature: shop, sms of the app OPEN (its credential says so); shop, sms of the app SILENT (its credential does not say how they are signed); not known of 1 whose credentials can not be read here',
    );
    expect(code).toBe(0);
  });

  it('names the queue with requests that wait, and counts dead letters', async () => {
    const [track] = queuesOf('track', 1);
    const aMinuteAgo = (Date.now() - 61_000) * 1000;
    await servers.redis.rpush(`${track?.prefix}:${track?.name}:wait`, `g${aMinuteAgo.toString(36)}-0`);
    const dead = createDeadLetters(servers.redis);
    const request = { id: 'r1-a', ws: 'demo', op: 'users.track', at: aMinuteAgo } as const;
    await dead.add({ id: 'r1-a', queue: 'track', code: 'X', reason: 'no', at: '2026-11-21', request });
    await dead.close();
    const { code, out, err } = await run('status', { env: env() });
    expect(out).toMatch(/Redis +WAIT +.*requests wait: track-0 for \d+ s/);
    expect(out).toMatch(/Dead letters +WAIT +1\n/);
    expect(err).toContain('"roster dead list" shows the dead letters.\n');
    expect(err).toContain('docs/runbook.md');
    expect(code).toBe(0);
  });

  it('lets requests wait for seconds, and exports for each other', async () => {
    const waits = (name: 'track' | 'export', seconds: number) => {
      const [queue] = queuesOf(name, 1);
      const id = `g${((Date.now() - seconds * 1000) * 1000).toString(36)}-0`;
      return servers.redis.rpush(`${queue?.prefix}:${queue?.name}:wait`, id);
    };
    await waits('track', 20);
    await waits('export', 600);
    const { out } = await run('status', { env: env() });
    expect(out).toMatch(/Redis +ok +.*requests wait: track-0 for \d+ s, export for \d+ s/);
  });

  it('names a process that gets no processor, work that should have begun, and jobs for another version', async () => {
    const note = { service: 'sender', host: 'one', share: 0.8 };
    await servers.redis.set('{roster:starved}:sender', JSON.stringify(note));
    const { deliveries } = servers.store.messages;
    await deliveries.insertOne(aDelivery({ began: new Date(Date.now() - 600_000) }));
    await servers.redis.zadd('{roster:track-0}:track-0:prioritized', 1, 'g1-x', 2, 'g2-x');
    const { code, out, err } = await run('status', { env: env() });
    expect(out).toMatch(/Starved processes +WAIT +sender on one waits for a processor 80 % of the time/);
    expect(out).toMatch(/Overdue work +WAIT +deliveries should have begun 6\d\d s ago/);
    expect(out).toMatch(/Newer version +WAIT +track-0 has 2 jobs for a newer version of its worker/);
    expect(err).toContain('docs/runbook.md');
    expect(code).toBe(0);
    await deliveries.deleteMany({});
    await servers.redis.del('{roster:track-0}:track-0:prioritized');
  });

  it('ends with 1 and says what does not answer', async () => {
    isReady = false;
    const { code, out } = await run('status', {
      env: { ...env(), MONGO_URL: 'mongodb://127.0.0.1:1/roster' },
    });
    expect(out).toMatch(/API +DOWN +.* is not ready: Redis does not answer/);
    expect(out).toMatch(/MongoDB +DOWN +MongoDB at 127\.0\.0\.1:1 does not answer/);
    expect(code).toBe(1);
    const json = await run('status --json', { env: env() });
    expect(JSON.parse(json.out)).toMatchObject({ isUp: false });
  });

  it('says whether the board of the local stack answers', async () => {
    const local = (monitorUrl: string) => ({ '.roster/local.json': JSON.stringify({ monitorUrl }) });
    const up = await run('status', { env: env(), files: local(env().ROSTER_URL) });
    expect(up).toMatchObject({ code: 0, out: expect.stringMatching(/Board +ok +http:/) });
    const down = await run('status', { env: env(), files: local('http://127.0.0.1:9') });
    expect(down).toMatchObject({ code: 1, out: expect.stringMatching(/Board +DOWN +.* does not answer/) });
  });

  it('does not call the API down whose address is not known', async () => {
    const { code, out } = await run('status', { env: { ...env(), ROSTER_URL: '' } });
    expect(out).toMatch(/API +\? +its address is not known: set ROSTER_URL/);
    expect(code).toBe(0);
  });
});

it('roster --version is that of the packages', async () => {
  const file = new URL('../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8'));
  expect(await run('--version')).toMatchObject({ code: 0, out: `${version}\n` });
});

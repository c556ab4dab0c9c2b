import { completeSettings, createKey } from '@roster/access';
import type { Metrics, Running } from '@roster/runtime';
import { aDelivery, until, useServers } from '@roster/testkit';
import { Worker } from 'bullmq';
import request from 'supertest';
import { beginMonitor, createQueues, outboxToken } from './testbed.ts';

const demo = completeSettings({ id: 'demo' });
const { record } = createKey({ ws: 'demo', name: 'k', permissions: ['*'], pepper: 'p' });
const person = 'ada@example.org';
const body = { attributes: [{ email: person }] };
const group = { v: 1, entries: 1, bytes: 10, requests: [['r1-a', 'demo', 'users.track', body]] };
const accepted = { id: 'r1-a', ws: 'demo', op: 'users.track', at: 1, body };

describe('the monitor', () => {
  let running: Running;
  let metrics: Metrics;
  let base: string;
  const { queueOf, closeQueues } = createQueues(() => servers.redis);

  const servers = useServers(async ({ redisUrl, mongoUrl, store }) => {
    await store.workspaces.put(demo);
    await store.keys.put(record);
    ({ running, metrics, base } = await beginMonitor({ redisUrl, mongoUrl }, 'auto'));
    return async () => {
      await running.stop();
      await closeQueues();
    };
  });

  it('is there while Redis and MongoDB are away, and says so', async () => {
    const mongoUrl = 'mongodb://127.0.0.1:1/roster_test?serverSelectionTimeoutMS=200';
    const alone = await beginMonitor({ redisUrl: 'redis://127.0.0.1:1', mongoUrl }, 'never');
    expect(await alone.running.ready?.()).toBe('Redis is away');
    await request(alone.base).get('/health/live').expect(200);
    await request(alone.base).get('/board').expect(200);
    await request(alone.base).get('/board/api/queues').expect(503, { message: 'Redis is away' });
    const text = await alone.metrics.text();
    expect(text).toContain('roster_redis_up{service="monitor"} 0');
    await alone.running.stop();
  });

  it('fills the serving copy at start', async () => {
    await until(async () => (await servers.redis.hexists('roster:keys', record.id)) === 1);
    expect(JSON.parse((await servers.redis.hget('roster:workspaces', 'demo')) ?? '')).toEqual(demo);
  });

  it('leads from its root to board and outbox, with counts', async () => {
    const { text } = await request(base).get('/').expect(200);
    expect(text).toContain('<dt>People</dt><dd>0</dd>');
    const get = (href: string) => request(base).get(href).set('cookie', `roster_outbox=${outboxToken}`);
    for (const [, href = ''] of text.matchAll(/href="([^"]+)"/g))
      expect([href, (await get(href)).status]).toEqual([href, 200]);
  });

  it('says on its pages what gets no processor and what should have begun, and measures it', async () => {
    expect((await request(base).get('/board').expect(200)).text).not.toContain('role="status"');
    const began = new Date(Date.now() - 600_000);
    await servers.store.messages.deliveries.insertOne(aDelivery({ began }));
    const note = { service: 'sender', host: 'one<', share: 0.8 };
    await servers.redis.set('{roster:starved}:sender', JSON.stringify(note));
    await servers.redis.zadd('{roster:messaging}:messaging:delayed', 1, 'g1-x');
    for (const page of ['/', '/board']) {
      const { text } = await request(base).get(page).expect(200);
      expect(text).toMatch(
        /role="status".*>sender on one&lt; waits for a processor 80 % of the time<br>deliveries should have begun 6\d\d s ago<br>messaging has 1 job for a newer version of its worker</,
      );
    }
    expect(await metrics.text()).toMatch(
      /roster_overdue_seconds\{work="deliveries",service="monitor"\} 6\d\d/,
    );
    await servers.store.messages.deliveries.deleteMany({});
    await servers.redis.del('{roster:starved}:sender', '{roster:messaging}:messaging:delayed');
  });

  it('has a board that works and asks no other host for anything', async () => {
    const { text: html } = await request(base).get('/board').expect(200);
    expect(html).not.toMatch(/(href|src)="(https?:)?\/\//);
    const sheets = [...html.matchAll(/href="([^"]+\.css)"/g)].map(([, path]) => `/board/${path}`);
    expect(sheets.length).toBeGreaterThan(0);
    for (const sheet of sheets)
      expect((await request(base).get(sheet).expect(200)).text).not.toMatch(
        /(@import|url\()\s*["']?(https?:)?\/\//,
      );
    const [script] = /static\/js\/main[^"]+/.exec(html) ?? [];
    await request(base).get(`/board/${script}`).expect(200);
  });

  it('leads from the board to the page on which one signs out', async () => {
    await request(base)
      .get('/board')
      .expect(200, /"url":"\/sign-out"/);
    await request(base).get('/sign-out').expect(200);
  });

  it('sends safe headers and does not say what it is made of', async () => {
    const { headers } = await request(base)
      .get('/board')
      .expect('content-security-policy', /default-src 'none'/)
      .expect('x-frame-options', 'DENY')
      .expect('x-content-type-options', 'nosniff');
    expect(headers).not.toHaveProperty('x-powered-by');
  });

  it('lives, and knows nothing else', async () => {
    await request(base).get('/health/live').expect(200);
    await request(base).get('/metrics').expect(404);
  });

  it.each(['post', 'put', 'patch', 'delete', 'options'] as const)('refuses %s everywhere', async (method) => {
    for (const path of ['/', '/board', '/board/api/queues/track-0/pause', '/board/api/queues/pause'])
      await request(base)[method](path).expect(405).expect('allow', 'GET, HEAD');
  });

  it('leads back from an address where nothing is, and to the API who calls it here', async () => {
    for (const [path, status] of [
      ['/bord', 404],
      ['/invite/%zz', 400],
    ] as const)
      await request(base)
        .get(path)
        .accept('text/html,*/*')
        .expect(status, /<h1>[\s\S]*<a href="\/">Start page<\/a>/);
    await request(base).get('/invite/%zz').accept('json').expect(400);
    await request(base).get('/bord').accept('*/*').expect(404, { message: 'Invalid URL' });
    const { body: refused } = await request(base).post('/users/track').expect(405);
    expect(refused).toEqual({ message: expect.stringContaining('The API has another port') });
  });

  it('shows all queues for looking only, and no personal data of any job', async () => {
    await queueOf('track').add(person, group, { jobId: 'g1-waiting' });
    const letter = { id: 'r1-a', queue: 'track', code: 'BAD', reason: `"${person}" is no good`, at: 't' };
    await queueOf('dead').add('users.track', { ...letter, request: accepted });
    type Seen = { queues: { name: string; readOnlyMode: boolean; allowRetries: boolean }[] };
    const list = async (name: string): Promise<Seen> =>
      (await request(base).get(`/board/api/queues?activeQueue=${name}`).expect(200)).body;
    const seen = [await list('track-0'), await list('dead')];
    const all = seen[0]?.queues ?? [];
    const track = ['track-0', 'track-1', 'track-heavy-0', 'track-heavy-1'];
    expect(all.map(({ name }) => name).sort()).toEqual([
      'dead',
      'export',
      'export-heavy',
      'generations',
      'identity',
      'identity-heavy',
      'integrations',
      'integrations-heavy',
      'messaging',
      'messaging-heavy',
      'orphans',
      'retention',
      'scim',
      'scim-heavy',
      'subscription',
      'subscription-heavy',
      ...track,
    ]);
    expect(all.every(({ readOnlyMode, allowRetries }) => readOnlyMode && !allowRetries)).toBe(true);
    const { body: job } = await request(base).get('/board/api/queues/track-0/g1-waiting').expect(200);
    expect(JSON.stringify([...seen, job])).not.toContain('ada');
    expect(JSON.stringify(job)).toContain('r1-a');
  });

  it('masks why a job failed', async () => {
    const queue = queueOf('export');
    const fail = async () => {
      throw new Error(`E11000 dup key: { email: "${person}" }`);
    };
    const own = servers.redis.duplicate();
    const worker = new Worker(queue.name, fail, { ...queue.opts, connection: own });
    worker.on('error', () => {});
    await queue.add('users.export.ids', group, { jobId: 'g1-fails' });
    await until(async () => (await queue.getFailedCount()) === 1);
    await worker.close();
    own.disconnect();
    const { body: job } = await request(base).get('/board/api/queues/export/g1-fails').expect(200);
    expect(JSON.stringify(job)).toContain('E11000 dup key');
    expect(JSON.stringify(job)).not.toContain('ada');
  });

  it('measures the queues', async () => {
    const text = await metrics.text();
    expect(text).toContain('roster_queue_jobs{queue="track-0",state="waiting",service="monitor"} 1');
    expect(text).toContain('roster_queue_jobs{queue="export",state="failed",service="monitor"} 1');
    expect(text).toMatch(/roster_queue_oldest_seconds\{queue="track-0",service="monitor"\} \d{6}/);
    expect(text).toContain('roster_dead_letters{service="monitor"} 1');
    expect(text).toContain('roster_redis_up{service="monitor"} 1');
    expect(text).toMatch(/roster_redis_memory_bytes\{kind="used",service="monitor"\} \d+/);
    expect(text).toContain('roster_access_refreshes_total{result="done",service="monitor"} 1');
  });
});

import { completeSettings, createKey, refreshCopy } from '@roster/access';
import { operations } from '@roster/contract';
import { type Config, operatorPolicy, type Running } from '@roster/runtime';
import { contextOf, inLongRuns, testSecret as pepper, until, useRedis } from '@roster/testkit';
import request, { type Response, type Test } from 'supertest';
import { startIngress } from './start.ts';

const event = (name = 'opened') => ({ external_id: 'ada', name, time: '2026-01-02T03:04:05Z' });

const inAnHour = (requests: number) => ({ requests, seconds: 3600 });

/** Of workspaces beside the usual one: each has a key with its name. */
const limits = {
  slow: { 'users.track': inAnHour(3) },
  poor: { work: inAnHour(5) },
  many: { broadcasts: inAnHour(12), broadcasts_to_one_audience: inAnHour(10) },
  starts: { broadcasts: inAnHour(2), broadcasts_to_one_audience: inAnHour(1) },
};

describe('the ingress, over real sockets and a real Redis', () => {
  let running: Running;
  let base: string;
  const { url: redisUrl, redis } = useRedis(() => running.stop());
  const keys: Record<string, string> = {};
  const others: Running[] = [];

  const start = async (
    overrides: Partial<Config<'ingress'>> = {},
    replacements: Parameters<typeof startIngress>[1] = {},
  ) => {
    const context = await contextOf('ingress', { redisUrl });
    const config = { ...context.config, RESULT_TIMEOUT_SECONDS: 0.5, DRAIN_SECONDS: 0, ...overrides };
    const started = await startIngress({ ...context, config }, replacements);
    return { started, base: `http://127.0.0.1:${started.port}` };
  };

  /** Beside the one of all tests, for one test. */
  const another = async (...how: Parameters<typeof start>) => {
    const one = await start(...how);
    others.push(one.started);
    return one;
  };
  afterEach(() => Promise.all(others.splice(0).map((one) => one.stop())));

  const key = (name: string, more: Partial<Parameters<typeof createKey>[0]> = {}) => {
    const made = createKey({ ws: 'demo', name, permissions: ['*'], pepper, ...more });
    keys[name] = made.key;
    return made.record;
  };

  /** A caller with the key of this name; without a name, with none. */
  const caller = (name: string, at = base) => {
    const agent = request.agent(at);
    return name === '' ? agent : agent.set('authorization', `Bearer ${keys[name]}`);
  };

  const post = (path: string, body: object, name = 'all', at = base) =>
    caller(name, at).post(path).send(body);

  const track = (name = 'all', at = base) => post('/users/track', { events: [event()] }, name, at);

  beforeAll(async () => {
    const records = [
      key('all'),
      key('reader', { permissions: ['requests.read'] }),
      key('phones', { ws: 'starts', permissions: ['messages.live_activity.register'] }),
      key('shows', {
        ws: 'starts',
        permissions: ['messages.live_activity.register', 'messages.live_activity.update'],
      }),
      key('elsewhere', { ips: ['10.0.0.0/8'] }),
      key('expired', { expires: '2020-01-01T00:00:00Z' }),
      { ...key('revoked'), revoked: '2020-01-01T00:00:00Z' },
      ...Object.keys(limits).map((ws) => key(ws, { ws })),
    ];
    const apps = [{ id: 'shop', name: 'Shop' }];
    const own = Object.entries(limits).map(([id, few]) => completeSettings({ id, apps, limits: few }));
    const workspaces = [completeSettings({ id: 'demo' }), ...own];
    await refreshCopy(redis, async () => ({ keys: records, workspaces }));
    ({ started: running, base } = await start());
  });

  it('answers a track request with a receipt, its id and the state of its window', async () => {
    const asked = Date.now();
    const { headers } = await track()
      .expect(201, { events_processed: 1, message: 'success' })
      .expect('x-request-id', /^r[0-9a-z]+-[0-9a-f]{8}$/)
      .expect('x-ratelimit-limit', '3000');
    expect(Number(headers['x-ratelimit-remaining'])).toBeLessThan(3000);
    expect(Number(headers['x-ratelimit-reset'])).toBeGreaterThanOrEqual(Math.floor(asked / 1000));
  });

  it('says what is wrong with a path or a method', async () => {
    const unknown = { message: 'Invalid URL', code: 'URL_INVALID' };
    await caller('all').get('/users/nothing').expect(404, unknown);
    await caller('all').get('/users/track').expect(405).expect('allow', 'POST');
    await caller('all').get('/users/%ff').expect(404);
  });

  describe('answers alike, found in the table word for word or by Express', () => {
    // Express reads a path without regard to case; the table knows only its own spelling.
    const ways = ['/users/track', '/USERS/TRACK'];
    const volatile = [
      'date',
      'x-request-id',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
      'x-roster-work-remaining',
      'x-roster-work-reset',
    ];

    const seen = ({ status, headers, text = '' }: Response) => ({
      status,
      // Those of refused requests begin with an x.
      isRefused: headers['x-request-id']?.startsWith('x'),
      headers: Object.entries(headers).map(([name, value]) => [
        name,
        volatile.includes(name) ? 'any' : value,
      ]),
      body: text,
    });

    type Asking = (path: string) => Test;

    /** Callers that keep their connection: whether it ends is seen in the answer. */
    const seenInBoth = (ask: Asking) =>
      Promise.all(ways.map(async (path) => seen(await ask(path).set('connection', 'keep-alive'))));

    const good = { events: [event()] };
    const trackAt: Asking = (path) => post(path, good);
    const trackBy =
      (name: string, headers = {}, at = base): Asking =>
      (path) =>
        post(path, good, name, at).set(headers);
    const trackRaw =
      (body: string, type = 'application/json'): Asking =>
      (path) =>
        caller('all').post(path).type(type).send(body);
    const noUtf8 = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);

    const noJson = 'Error while parsing request body. Please check your syntax.';
    const deep = '['.repeat(1100) + ']'.repeat(1100);

    it.each<[title: string, Asking, status: number, message?: string]>([
      ['a good request', trackAt, 201],
      ['a slash at the end', (path) => trackAt(`${path}/`), 201],
      ['a query string', (path) => trackAt(`${path}?pretty=true`), 201],
      ['a slash and a query string', (path) => trackAt(`${path}/?`), 201],
      ['two slashes at the end', (path) => trackAt(`${path}//`), 404],
      ['more of a path', (path) => trackAt(`${path}/more`), 404],
      ['another method', (path) => caller('all').put(path).send(good), 405],
      ['only the head', (path) => caller('all').head(path), 405],
      ['no key', trackBy(''), 401, 'Invalid API key: none was sent'],
      [
        'half a key',
        trackBy('', { authorization: 'Bearer rk_half' }),
        401,
        'Invalid API key: it is not whole',
      ],
      ['an expired key', trackBy('expired'), 401, 'Invalid API key: it is unknown here, expired or revoked"'],
      ['a revoked key', trackBy('revoked'), 401, 'Invalid API key: it is unknown here, expired or revoked"'],
      ['a key without the permission', trackBy('reader'), 403, 'Access Denied'],
      ['a key from another IP', trackBy('elsewhere'), 403, 'Access Denied'],
      ['a forwarded IP without a trusted proxy', trackBy('all', { 'x-forwarded-for': '10.1.2.3' }), 201],
      ['a body that is no JSON', trackRaw('{"events":'), 400, noJson],
      [
        'a body that is no UTF-8',
        (path) =>
          caller('all')
            .post(path)
            .type('json')
            .serialize((bytes) => bytes)
            .send(noUtf8),
        400,
        noJson,
      ],
      ['nested too deeply', trackRaw(deep), 400, 'The body is nested too deeply'],
      ['an empty body', trackRaw(''), 400, noJson],
      ['half a text', trackRaw('"\\ud800'), 400, noJson],
      ['a name without quotes', trackRaw('{a:1}'), 400, noJson],
      ['a text', trackRaw(JSON.stringify(good), 'text/plain'), 415, 'Unsupported Media Type'],
      [
        'compressed',
        trackBy('all', { 'content-encoding': 'gzip' }),
        415,
        'Unsupported Media Type: send the body as it is, without Content-Encoding',
      ],
      ['over 6 MB', trackRaw(`{"a":"${'x'.repeat(6_300_000)}"}`), 413, 'Request Entity Too Large'],
      ['a refused entry', (path) => post(path, { events: [event(), { ...event(), name: '' }] }), 201],
      [
        'a key that cannot be one',
        trackBy('all', { 'idempotency-key': 'x'.repeat(300) }),
        400,
        'Idempotency-Key must be 1 to 255 printable ASCII characters',
      ],
      [
        'nothing to do',
        (path) => post(path, { events: [] }),
        400,
        "Valid data must be provided in the 'attributes', 'events', or 'purchases' fields.",
      ],
    ])('%s', async (_title, ask, status, message = '') => {
      const [fast, slow] = await seenInBoth(ask);
      expect(fast).toEqual(slow);
      expect(fast).toMatchObject({ status, isRefused: status !== 201 });
      expect(fast?.body).toContain(message && `"message":"${message}`);
      await track().expect(201);
    });

    it('the IP of the caller, behind a proxy that is trusted', async () => {
      const behind = await another({ TRUSTED_PROXIES: 'loopback' });
      const from = async (forwarded: string) => {
        const ask = trackBy('elsewhere', { 'x-forwarded-for': forwarded }, behind.base);
        const [fast, slow] = await seenInBoth(ask);
        expect(fast).toEqual(slow);
        return fast?.status;
      };
      const statuses = [await from('10.1.2.3'), await from('10.1.2.3, 192.0.2.1'), await from('192.0.2.1')];
      expect(statuses).toEqual([201, 403, 403]);
    });

    it('that this connection ends, when the ingress stops', async () => {
      const other = await start({ DRAIN_SECONDS: 0.3 });
      const stopping = other.started.stop();
      const [fast, slow] = await seenInBoth(trackBy('all', {}, other.base));
      await stopping;
      expect(fast).toEqual(slow);
      expect(fast?.headers).toContainEqual(['connection', 'close']);
    });
  });

  it('refuses with 429 once the window of a workspace is used up', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push((await track('slow')).status);
    expect(statuses).toEqual([201, 201, 201, 429]);
    const refused = await track('slow').expect('x-ratelimit-remaining', '0');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('takes so many broadcasts in a window, of each audience and in all, over all processes', async () => {
    const other = await another();
    const one = await another();
    const messages = { webhook: { url: 'https://example.com/', request_method: 'POST', body: 'x' } };
    const sendTo = (recipients: object, at: string) =>
      post('/messages/send', { ...recipients, messages }, 'many', at);
    const refusedOf = async (recipients: object[]): Promise<number> => {
      const answers = await Promise.all(
        recipients.map((to, n) => sendTo(to, n % 2 === 0 ? one.base : other.base)),
      );
      return answers.filter(({ status }) => status === 429).length;
    };
    const times = (n: number, to: object) => Array.from({ length: n }, () => to);
    const to = (segment_id: string) => ({ broadcast: true, segment_id });
    expect(await refusedOf(times(13, to('gold')))).toBe(3);
    expect(await refusedOf(times(4, to('silver')))).toBe(2);
    expect(await refusedOf(times(12, { external_user_ids: ['ada'] }))).toBe(0);
    const refused = await sendTo(to('gold'), one.base).expect('x-ratelimit-limit', '10');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('counts starts of live activities for an audience as broadcasts to it', async () => {
    const start = (to: object) =>
      post(
        '/messages/live_activity/start',
        {
          ...{ app_id: 'shop', activity_id: 'match-17', activity_attributes_type: 'Match', ...to },
          ...{ activity_attributes: {}, content_state: {} },
          notification: { alert: { title: 'Kick-off', body: 'Good luck' } },
        },
        'starts',
      );
    const audience = { custom_attribute: { custom_attribute_name: 'x', comparison: 'exists' } };
    const messages = { webhook: { url: 'https://example.com/', request_method: 'POST', body: 'x' } };
    const body = { broadcast: true, audience, messages };
    expect((await post('/messages/send', body, 'starts')).status).not.toBe(429);
    await start({ custom_audience: audience }).expect(429);
    expect((await start({ segment_id: 'gold' })).status).not.toBe(429);
    await start({ segment_id: 'silver' }).expect(429);
    expect((await start({ external_user_ids: ['ada'] })).status).not.toBe(429);
  });

  it('takes a broadcast channel of a live activity only by a key that may update it', async () => {
    const register = (name: string, more: object) =>
      post('/messages/live_activity/register', { app_id: 'shop', activity_id: 'match-17', ...more }, name);
    const channel = { channel_id: 'dHN0LXNyY2gtY2hubA==' };
    // Judged in another thread.
    const large = { ...channel, more: 'x'.repeat(100_000) };
    for (const body of [channel, large]) {
      const refused = await register('phones', body).expect(403);
      expect(refused.body).toMatchObject({ code: 'ACCESS_DENIED' });
      await register('shows', body).expect(202);
    }
    await register('phones', { push_token: 'a1'.repeat(32) }).expect(202);
  });

  it('says what a request costs and what is left, also when it is refused', async () => {
    const names = ['x-roster-price', 'x-roster-work-remaining', 'x-roster-work-reset'];
    const pricesOf = async (asked: Test) => {
      const { headers } = await asked;
      return names.map((name) => Number(headers[name]));
    };
    const [price, remaining = 0, reset = 0] = await pricesOf(track());
    expect([price, remaining > 1000, reset > Date.now() / 1000 - 1]).toEqual([1, true, true]);
    const [refused] = await pricesOf(post('/users/track', { events: 'x'.repeat(100_000) }));
    expect(refused).toBe(59);
    const fifty = { events: Array.from({ length: 50 }, () => event()) };
    expect((await pricesOf(post('/users/track', fifty)))[0]).toBeGreaterThan(5);
  });

  it('refuses what can not be paid with 429, and what can never be paid with 413', async () => {
    const ten = (name: string) => ({ events: Array.from({ length: 10 }, () => event(name.repeat(10))) });
    const answers = [];
    for (let n = 0; n < 5; n++) answers.push(await post('/users/track', ten('ada'), 'poor'));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 429, 429, 429]);
    const [, , refused] = answers;
    expect(refused?.body).toEqual({
      message: 'The request costs 2 points, and the workspace has used up its 5 points of 3600 seconds',
      code: 'WORK_LIMITED',
    });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    await post('/users/track', { events: ['x'.repeat(200_000)] }, 'poor').expect(413, {
      message: 'The request costs 117 points, more than the 5 points that the workspace has in 3600 seconds',
      code: 'REQUEST_TOO_COSTLY',
    });
  });

  it('refuses a body of very many shapes before it is parsed; unbounded it does not', async () => {
    const objects = Array.from({ length: 30_000 }, (_, n) => `{"name-${n}":1}`).join(',');
    const raw = `{"unknown":[${objects}],"events":[${JSON.stringify(event())}]}`;
    const trackRaw = (at = base) => caller('all', at).post('/users/track').type('json').send(raw);
    const refused = await trackRaw().expect(400);
    expect(refused.body.message).toMatch(/30,000 objects and arrays|sequences of names/);
    const free = await another({}, { unbounded: true });
    await trackRaw(free.base).expect(201);
  });

  it('gives an idempotency key no room past the share of its workspace', async () => {
    const tight = await another({ IDEMPOTENCY_SHARE: 1e-6 });
    const statuses: number[] = [];
    for (let n = 0; n < 8; n++) {
      statuses.push((await track('all', tight.base).set('idempotency-key', `full-${n}`)).status);
    }
    expect(statuses.at(-1)).toBe(429);
    await track('all', tight.base).expect(201);
    await track().set('idempotency-key', `full-${Date.now()}`).expect(201);
  });

  it('hears of a revoked key at once', async () => {
    const record = key('fired');
    const publish = async (revoked?: string) => {
      await redis.hset('roster:keys', record.id, JSON.stringify({ ...record, ...(revoked && { revoked }) }));
      await redis.publish('roster:access', `key:${record.id}`);
    };
    await publish();
    await track('fired').expect(201);
    await publish('2026-01-01T00:00:00Z');
    await until(async () => (await track('fired')).status === 401);
  });

  it('answers 503 for a read that no worker takes, and 201 "queued" for a write that wants to wait', async () => {
    await caller('all').get('/requests/r1').expect(503).expect('retry-after', '1');
    const write = await track().set('prefer', 'wait=1').expect(201).expect('preference-applied', 'wait');
    expect(write.body).toMatchObject({ message: 'success', events_processed: 1, state: 'queued' });
  });

  it('repeats the first answer for the same idempotency key, and refuses another body', async () => {
    const headers = { 'idempotency-key': 'order-1' };
    const first = await track().set(headers);
    const again = await track().set(headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers['x-request-id']).toBe(first.headers['x-request-id']);
    await post('/users/track', { events: [event('closed')] })
      .set(headers)
      .expect(422);
  });

  it('sheds load before Redis is full', async () => {
    const small = await another({ SHED_MEMORY_BYTES: 1 });
    const answer = await until(async () => {
      const one = await track('all', small.base);
      return one.status === 503 && one;
    });
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2']);
  });

  const browser = (at = base) => request.agent(at).accept('text/html,*/*;q=0.8');

  const hourMs = 3_600_000;
  const ageOf = (found: RegExpExecArray | null) => Math.abs(Date.now() - Date.parse(found?.[1] ?? ''));

  it('has a start page for browsers: docs, health and the first request, nothing from outside', async () => {
    const { text: page } = await browser()
      .get('/')
      .expect(200)
      .expect('vary', 'Accept, Host')
      .expect('content-security-policy', /^default-src 'none'; style-src 'sha256-/);
    expect(page).not.toMatch(/<script(?! src="\/start\.js">)|<img|>board</);
    for (const [, href = ''] of page.matchAll(/href="([^"]+)"/g))
      expect([href, (await browser().get(href)).status]).toEqual([href, 200]);
    expect(page).toContain(`curl ${base}/users/track`);
    expect(ageOf(/&quot;time&quot;:&quot;([^&]+)/.exec(page))).toBeLessThan(hourMs);
  });

  it('links from the start page to the board where it is told', async () => {
    const other = await another({ BOARD_URL: 'https://board.example.com' });
    await browser(other.base)
      .get('/')
      .expect(200, /<a href="https:\/\/board\.example\.com">board<\/a>/);
  });

  it.each([
    ['another caller than a browser', () => request(base).get('/').accept('json')],
    ['another method', () => browser().post('/')],
    ['another path', () => request(base).get('/start').accept('*/*')],
    ['a program that takes any page', () => browser().get('/start').auth('rk_1', { type: 'bearer' })],
  ])('has no start page for %s', async (_who, ask) => {
    await ask().expect(404, { message: 'Invalid URL', code: 'URL_INVALID' });
  });

  it.each([
    [404, '/start', 'There is nothing at this address'],
    [404, '/scim/v3/<b>', 'There is nothing at this address'],
    [405, '/users/track', 'This address is for programs'],
    [401, '/preference_center/v1/list', 'This address is for programs'],
    [401, '/scim/v2/Users/a', 'This address is for programs'],
    [404, '/%zz', 'There is nothing at this address'],
    [200, '/health/ready', 'Ready'],
  ])('answers %s to a browser at %s with a page that leads on', async (status, path, title) => {
    const { text: page, headers } = await browser().get(path).expect(status).expect('content-type', /html/);
    expect(page).toContain(`<h1>${title}</h1>`);
    expect(page).toMatch(/href="\/"[\s\S]*href="\/docs"/);
    expect(page).not.toContain('<b>');
    expect([headers['content-security-policy'], headers['x-roster-error'] !== undefined]).toEqual([
      operatorPolicy,
      status !== 200,
    ]);
  });

  it('repeats no host on the start page that is none', async () => {
    const { text: page } = await browser().get('/').set('host', 'a"<b>').expect(200);
    expect(page).toContain('curl http://localhost:8080/users/track');
    expect(page).not.toMatch(/a("|&quot;)<b/);
  });

  it('shows examples of now in the document, so that their events are in the next export', async () => {
    const { text } = await request(base).get('/openapi.json').expect(200);
    expect(ageOf(/"name":"[a-z_]+","time":"([^"]+)"/.exec(text))).toBeLessThan(hourMs);
    expect(text).not.toContain('2026-01-31T');
  });

  it('serves the documents of the interface without anything from outside', async () => {
    const { body: document } = await request(base).get('/openapi.json').expect(200);
    expect(Object.keys(document.paths)).toHaveLength(new Set(operations.map(({ path }) => path)).size);
    const { text: page } = await request(base).get('/docs').expect(200);
    expect(page).not.toMatch(/https?:\/\//);
    for (const [, asset = ''] of page.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
      expect([asset, (await request(base).get(asset)).status]).toEqual([asset, 200]);
    }
  });

  it.each(['/openapi.json', '/docs/assets/scalar.js'])('sends %s compressed where it may', async (path) => {
    const { headers } = await request(base).get(path).set('accept-encoding', 'gzip').expect(200);
    expect([headers['content-encoding'], headers.vary]).toEqual(['gzip', 'Accept-Encoding']);
    const plain = await request(base).get(path).set('accept-encoding', 'identity').expect(200);
    expect(plain.headers['content-encoding']).toBeUndefined();
  });

  it('keeps a key that is typed into the reference in the memory of the page only', async () => {
    const { text: script } = await request(base).get('/docs/reference.js').expect(200);
    expect(script).toContain('persistAuth: false');
    expect(script).not.toMatch(/localStorage|sessionStorage|cookie/);
  });

  it('is ready when Redis is, and says so', async () => {
    await request(base).get('/health/ready').expect(200, { status: 'ok' });
    await request(base).get('/health/live').expect(200);
  });

  it('is not ready without the replicas that a request needs', async () => {
    const { base: lonely } = await another({ REDIS_WAIT_REPLICAS: 1 });
    const { text } = await request(lonely).get('/health/ready').expect(503);
    expect(text).toContain('a replica of Redis is away');
    await track('all', lonely).expect(503);
  });

  it('finishes what it has taken when it stops', async () => {
    const other = await start({ DRAIN_SECONDS: 5 });
    const many = () => Promise.all(Array.from({ length: 20 }, () => track('all', other.base).expect(201)));
    const before = many();
    const stopping = other.started.stop();
    await Promise.all([before, many()]);
    await stopping;
  });

  it('stops though callers wait for results', async () => {
    const other = await start();
    // There is no worker, and the waits of a test are as long as they may be.
    const waiting: Promise<Response>[] = [];
    for (let n = 0; n < 6; n++) {
      waiting.push(Promise.resolve(track('all', other.base).set('prefer', 'wait=30')));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const began = performance.now();
    await other.started.stop();
    inLongRuns(() => expect(performance.now() - began).toBeLessThan(10_000));
    for (const answer of await Promise.all(waiting)) expect(answer.body).toMatchObject({ state: 'queued' });
  });
});

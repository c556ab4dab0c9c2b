import { get } from 'node:http';
import { completeSettings, createKey, refreshCopy } from '@roster/access';
import { operations } from '@roster/contract';
import type { Config, Running } from '@roster/runtime';
import { contextOf, inLongRuns, testSecret as pepper, until, useRedis } from '@roster/testkit';
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

  interface Sent {
    key?: string;
    body?: unknown;
    raw?: string | Buffer;
    headers?: Record<string, string>;
    method?: string;
  }

  const send = (path: string, options: Sent = {}, at = base) => {
    const { key: name = 'all', body, raw, headers = {}, method = 'POST' } = options;
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    return fetch(at + path, {
      method,
      headers: {
        ...(name && { authorization: `Bearer ${keys[name]}` }),
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
    });
  };

  const track = (options: Sent = {}, at = base) =>
    send('/users/track', { body: { events: [event()] }, ...options }, at);

  beforeAll(async () => {
    const records = [
      key('all'),
      key('reader', { permissions: ['requests.read'] }),
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
    const answer = await track();
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({ events_processed: 1, message: 'success' });
    expect(answer.headers.get('x-request-id')).toMatch(/^r[0-9a-z]+-[0-9a-f]{8}$/);
    expect(answer.headers.get('x-ratelimit-limit')).toBe('3000');
    expect(Number(answer.headers.get('x-ratelimit-remaining'))).toBeLessThan(3000);
    expect(Number(answer.headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000 - 1);
  });

  it('says what is wrong with a path or a method', async () => {
    const unknown = await send('/users/nothing', { method: 'GET' });
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      { message: 'Invalid URL', code: 'URL_INVALID' },
    ]);
    const method = await send('/users/track', { method: 'GET' });
    expect([method.status, method.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await send('/users/%ff', { method: 'GET' })).status).toBe(404);
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

    const seen = async (answer: Response) => ({
      status: answer.status,
      // Those of refused requests begin with an x.
      isRefused: answer.headers.get('x-request-id')?.startsWith('x'),
      headers: [...answer.headers].map(([name, value]) => [name, volatile.includes(name) ? 'any' : value]),
      body: await answer.text(),
    });

    const seenInBoth = (rest: string, options: Sent, at = base) =>
      Promise.all(ways.map(async (path) => seen(await send(path + rest, options, at))));

    const noJson = 'Error while parsing request body. Please check your syntax.';
    const deep = '['.repeat(1100) + ']'.repeat(1100);

    it.each<[title: string, rest: string, Sent, status: number, message?: string]>([
      ['a good request', '', {}, 201],
      ['a slash at the end', '/', {}, 201],
      ['a query string', '?pretty=true', {}, 201],
      ['a slash and a query string', '/?', {}, 201],
      ['two slashes at the end', '//', {}, 404],
      ['more of a path', '/more', {}, 404],
      ['another method', '', { method: 'PUT' }, 405],
      ['only the head', '', { method: 'HEAD', body: undefined }, 405],
      ['no key', '', { key: '' }, 401, 'Invalid API key'],
      ['an unknown key', '', { headers: { authorization: 'Bearer rk_unknown' } }, 401, 'Invalid API key'],
      ['an expired key', '', { key: 'expired' }, 401, 'Invalid API key'],
      ['a revoked key', '', { key: 'revoked' }, 401, 'Invalid API key'],
      ['a key without the permission', '', { key: 'reader' }, 403, 'Access Denied'],
      ['a key from another IP', '', { key: 'elsewhere' }, 403, 'Access Denied'],
      ['a forwarded IP without a trusted proxy', '', { headers: { 'x-forwarded-for': '10.1.2.3' } }, 201],
      ['a body that is no JSON', '', { raw: '{"events":' }, 400, noJson],
      ['a body that is no UTF-8', '', { raw: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) }, 400, noJson],
      ['nested too deeply', '', { raw: deep }, 400, 'The body is nested too deeply'],
      ['an empty body', '', { raw: '' }, 400, noJson],
      ['half a text', '', { raw: '"\\ud800' }, 400, noJson],
      ['a name without quotes', '', { raw: '{a:1}' }, 400, noJson],
      ['a text', '', { headers: { 'content-type': 'text/plain' } }, 415, 'Unsupported Media Type'],
      ['compressed', '', { headers: { 'content-encoding': 'gzip' } }, 415, 'Unsupported Media Type'],
      ['over 6 MB', '', { raw: `{"a":"${'x'.repeat(6_300_000)}"}` }, 413, 'Request Entity Too Large'],
      ['a refused entry', '', { body: { events: [event(), { ...event(), name: '' }] } }, 201],
      [
        'a key that cannot be one',
        '',
        { headers: { 'idempotency-key': 'x'.repeat(300) } },
        400,
        'Idempotency-Key must be 1 to 255 printable ASCII characters',
      ],
      [
        'nothing to do',
        '',
        { body: { events: [] } },
        400,
        "Valid data must be provided in the 'attributes', 'events', or 'purchases' fields.",
      ],
    ])('%s', async (_title, rest, options, status, message = '') => {
      const [fast, slow] = await seenInBoth(rest, { body: { events: [event()] }, ...options });
      expect(fast).toEqual(slow);
      expect(fast).toMatchObject({ status, isRefused: status !== 201 });
      expect(fast?.body).toContain(message && `"message":"${message}"`);
      expect((await track()).status).toBe(201);
    });

    it('the IP of the caller, behind a proxy that is trusted', async () => {
      const behind = await another({ TRUSTED_PROXIES: 'loopback' });
      const from = async (forwarded: string) => {
        const headers = { 'x-forwarded-for': forwarded };
        const options = { key: 'elsewhere', headers, body: { events: [event()] } };
        const [fast, slow] = await seenInBoth('', options, behind.base);
        expect(fast).toEqual(slow);
        return fast?.status;
      };
      const statuses = [await from('10.1.2.3'), await from('10.1.2.3, 192.0.2.1'), await from('192.0.2.1')];
      expect(statuses).toEqual([201, 403, 403]);
    });

    it('that this connection ends, when the ingress stops', async () => {
      const other = await start({ DRAIN_SECONDS: 0.3 });
      const stopping = other.started.stop();
      const [fast, slow] = await seenInBoth('', { body: { events: [event()] } }, other.base);
      await stopping;
      expect(fast).toEqual(slow);
      expect(fast?.headers).toContainEqual(['connection', 'close']);
    });
  });

  it('refuses with 429 once the window of a workspace is used up', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push((await track({ key: 'slow' })).status);
    expect(statuses).toEqual([201, 201, 201, 429]);
    const refused = await track({ key: 'slow' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
  });

  it('takes so many broadcasts in a window, of each audience and in all, over all processes', async () => {
    const other = await another();
    const one = await another();
    const messages = { webhook: { url: 'https://example.com/', request_method: 'POST', body: 'x' } };
    const sendTo = async (recipients: object, at: string): Promise<Response> =>
      send('/messages/send', { key: 'many', body: { ...recipients, messages } }, at);
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
    const refused = await sendTo(to('gold'), one.base);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('x-ratelimit-limit')).toBe('10');
  });

  it('counts starts of live activities for an audience as broadcasts to it', async () => {
    const start = (to: object) =>
      send('/messages/live_activity/start', {
        key: 'starts',
        body: {
          ...{ app_id: 'shop', activity_id: 'match-17', activity_attributes_type: 'Match', ...to },
          ...{ activity_attributes: {}, content_state: {} },
          notification: { alert: { title: 'Kick-off', body: 'Good luck' } },
        },
      });
    const audience = { custom_attribute: { custom_attribute_name: 'x', comparison: 'exists' } };
    const messages = { webhook: { url: 'https://example.com/', request_method: 'POST', body: 'x' } };
    const body = { broadcast: true, audience, messages };
    expect((await send('/messages/send', { key: 'starts', body })).status).not.toBe(429);
    expect((await start({ custom_audience: audience })).status).toBe(429);
    expect((await start({ segment_id: 'gold' })).status).not.toBe(429);
    expect((await start({ segment_id: 'silver' })).status).toBe(429);
    expect((await start({ external_user_ids: ['ada'] })).status).not.toBe(429);
  });

  it('says what a request costs and what is left, also when it is refused', async () => {
    const names = ['x-roster-price', 'x-roster-work-remaining', 'x-roster-work-reset'];
    const pricesOf = async (options: Parameters<typeof track>[0]) => {
      const { headers } = await track(options);
      return names.map((name) => Number(headers.get(name)));
    };
    const [price, remaining = 0, reset = 0] = await pricesOf({});
    expect([price, remaining > 1000, reset > Date.now() / 1000 - 1]).toEqual([1, true, true]);
    const [refused] = await pricesOf({ raw: `{"events":"${'x'.repeat(100_000)}"}` });
    expect(refused).toBe(59);
    expect(
      (await pricesOf({ body: { events: Array.from({ length: 50 }, () => event()) } }))[0],
    ).toBeGreaterThan(5);
  });

  it('refuses what can not be paid with 429, and what can never be paid with 413', async () => {
    const ten = (name: string) => ({ events: Array.from({ length: 10 }, () => event(name.repeat(10))) });
    const answers = [];
    for (let n = 0; n < 5; n++) answers.push(await track({ key: 'poor', body: ten('ada') }));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 429, 429, 429]);
    const [, , refused] = answers;
    expect(await refused?.json()).toEqual({
      message: 'The request costs 2 points, and the workspace has used up its 5 points of 3600 seconds',
      code: 'WORK_LIMITED',
    });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    const never = await track({ key: 'poor', raw: `{"events":["${'x'.repeat(200_000)}"]}` });
    expect([never.status, await never.json()]).toEqual([
      413,
      {
        message:
          'The request costs 117 points, more than the 5 points that the workspace has in 3600 seconds',
        code: 'REQUEST_TOO_COSTLY',
      },
    ]);
  });

  it('refuses a body of very many shapes before it is parsed; unbounded it does not', async () => {
    const objects = Array.from({ length: 30_000 }, (_, n) => `{"name-${n}":1}`).join(',');
    const raw = `{"unknown":[${objects}],"events":[${JSON.stringify(event())}]}`;
    const refused = await track({ raw });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { message: expect.stringMatching(/30,000 objects and arrays|sequences of names/) },
    ]);
    const free = await another({}, { unbounded: true });
    expect((await track({ raw }, free.base)).status).toBe(201);
  });

  it('gives an idempotency key no room past the share of its workspace', async () => {
    const tight = await another({ IDEMPOTENCY_SHARE: 1e-6 });
    const keyed = { headers: { 'idempotency-key': `full-${Date.now()}` } };
    const statuses: number[] = [];
    for (let n = 0; n < 8; n++) {
      const headers = { 'idempotency-key': `full-${n}` };
      statuses.push((await track({ headers }, tight.base)).status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect((await track({}, tight.base)).status).toBe(201);
    expect((await track(keyed)).status).toBe(201);
  });

  it('hears of a revoked key at once', async () => {
    const record = key('fired');
    const publish = async (revoked?: string) => {
      await redis.hset('roster:keys', record.id, JSON.stringify({ ...record, ...(revoked && { revoked }) }));
      await redis.publish('roster:access', `key:${record.id}`);
    };
    await publish();
    expect((await track({ key: 'fired' })).status).toBe(201);
    await publish('2026-01-01T00:00:00Z');
    await until(async () => (await track({ key: 'fired' })).status === 401);
  });

  it('answers 503 for a read that no worker takes, and 201 "queued" for a write that wants to wait', async () => {
    const read = await send('/requests/r1', { method: 'GET' });
    expect([read.status, read.headers.get('retry-after')]).toEqual([503, '1']);
    const write = await track({ headers: { prefer: 'wait=1' } });
    expect([write.status, write.headers.get('preference-applied')]).toEqual([201, 'wait']);
    expect(await write.json()).toMatchObject({ message: 'success', events_processed: 1, state: 'queued' });
  });

  it('repeats the first answer for the same idempotency key, and refuses another body', async () => {
    const headers = { 'idempotency-key': 'order-1' };
    const first = await track({ headers });
    const again = await track({ headers });
    expect(await again.json()).toEqual(await first.json());
    expect(again.headers.get('x-request-id')).toBe(first.headers.get('x-request-id'));
    const other = await track({ headers, body: { events: [event('closed')] } });
    expect(other.status).toBe(422);
  });

  it('sheds load before Redis is full', async () => {
    const small = await another({ SHED_MEMORY_BYTES: 1 });
    const answer = await until(async () => {
      const one = await track({}, small.base);
      return one.status === 503 && one;
    });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
  });

  const startPage = (path = '/', method = 'GET', headers = {}, at = base) =>
    send(path, { method, key: '', headers: { accept: 'text/html,*/*;q=0.8', ...headers } }, at);

  const hourMs = 3_600_000;
  const ageOf = (found: RegExpExecArray | null) => Math.abs(Date.now() - Date.parse(found?.[1] ?? ''));

  it('has a start page for browsers: docs, health and the first request, nothing from outside', async () => {
    const answer = await startPage();
    const page = await answer.text();
    expect([answer.status, answer.headers.get('vary')]).toEqual([200, 'Accept, Host']);
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page).not.toMatch(/<script|<img|>board</);
    for (const [, href = ''] of page.matchAll(/href="([^"]+)"/g))
      expect([href, (await startPage(href)).status]).toEqual([href, 200]);
    expect(page).toContain(`curl ${base}/users/track`);
    expect(ageOf(/&quot;time&quot;:&quot;([^&]+)/.exec(page))).toBeLessThan(hourMs);
  });

  it('links from the start page to the board where it is told', async () => {
    const other = await another({ BOARD_URL: 'https://board.example.com' });
    expect(await (await startPage('/', 'GET', {}, other.base)).text()).toContain(
      '<a href="https://board.example.com">board</a>',
    );
  });

  it.each([
    ['another caller than a browser', '/', 'GET', { accept: 'application/json' }],
    ['another method', '/', 'POST', {}],
    ['another path', '/start', 'GET', {}],
  ])('has no start page for %s', async (_who, path, method, headers) => {
    const answer = await startPage(path, method, headers);
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { message: 'Invalid URL', code: 'URL_INVALID' },
    ]);
  });

  it('repeats no host on the start page that is none', async () => {
    const { port } = new URL(base);
    const page = await new Promise<string>((resolve, reject) => {
      const headers = { host: 'a"<b>', accept: 'text/html' };
      get({ port, headers }, async (answer) =>
        resolve((await answer.setEncoding('utf8').toArray()).join('')),
      ).on('error', reject);
    });
    expect(page).toContain('curl http://localhost:8080/users/track');
    expect(page).not.toMatch(/a("|&quot;)<b/);
  });

  it('shows examples of now in the document, so that their events are in the next export', async () => {
    const text = await (await send('/openapi.json', { method: 'GET', key: '' })).text();
    expect(ageOf(/"name":"[a-z_]+","time":"([^"]+)"/.exec(text))).toBeLessThan(hourMs);
    expect(text).not.toContain('2026-01-31T');
  });

  it('serves the documents of the interface without anything from outside', async () => {
    const document = (await (await send('/openapi.json', { method: 'GET', key: '' })).json()) as {
      paths: object;
    };
    expect(Object.keys(document.paths)).toHaveLength(new Set(operations.map(({ path }) => path)).size);
    const page = await (await send('/docs', { method: 'GET', key: '' })).text();
    expect(page).not.toMatch(/https?:\/\//);
    for (const [, asset = ''] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect([asset, (await send(asset, { method: 'GET', key: '' })).status]).toEqual([asset, 200]);
    }
  });

  it('keeps a key that is typed into the reference in the memory of the page only', async () => {
    const script = await (await send('/docs/reference.js', { method: 'GET', key: '' })).text();
    expect(script).toContain('SwaggerUIBundle(');
    expect(script).not.toMatch(/persistAuthorization|localStorage|sessionStorage|cookie/);
  });

  it('is ready when Redis is, and says so', async () => {
    const ready = await send('/health/ready', { method: 'GET', key: '' });
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok' }]);
    expect((await send('/health/live', { method: 'GET', key: '' })).status).toBe(200);
  });

  it('finishes what it has taken when it stops', async () => {
    const other = await start({ DRAIN_SECONDS: 5 });
    const many = () => Array.from({ length: 20 }, () => track({}, other.base));
    const before = many();
    const stopping = other.started.stop();
    const statuses = (await Promise.all([...before, ...many()])).map(({ status }) => status);
    await stopping;
    expect(new Set(statuses)).toEqual(new Set([201]));
  });

  it('stops though callers wait for results', async () => {
    const other = await start();
    // There is no worker, and the waits of a test are as long as they may be.
    const waiting: Promise<Response>[] = [];
    for (let n = 0; n < 6; n++) {
      waiting.push(track({ headers: { prefer: 'wait=30' } }, other.base));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const began = performance.now();
    await other.started.stop();
    inLongRuns(() => expect(performance.now() - began).toBeLessThan(10_000));
    for (const answer of await Promise.all(waiting))
      expect(await answer.json()).toMatchObject({ state: 'queued' });
  });
});

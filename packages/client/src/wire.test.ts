/** What stands between a client and the service, as it behaves in the wild: bare servers and sockets, none of which knows Roster. */
import { Agent, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { certificateFor, listening, openServer, textOf, usePeer } from '@roster/testkit';
import { about, type Middleware, Roster } from './index.ts';

const body = { attributes: [{ external_id: 'ada' }] };
const lines: string[] = [];
const client = (url: string, more: object = {}) =>
  new Roster({ url, key: 'secret-key', retryFor: 0, log: (line) => lines.push(line), ...more });

// No pause is longer than it is asked to be.
beforeAll(() => jest.spyOn(Math, 'random').mockReturnValue(0));
afterAll(() => jest.restoreAllMocks());
beforeEach(() => lines.splice(0));

const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (answer) => answer,
    (error: unknown) => error,
  );

describe('a redirect', () => {
  const elsewhere = { asked: 0 };
  const other = usePeer((_, response) => {
    elsewhere.asked += 1;
    response.end('{"message":"success"}');
  });
  const peer = usePeer();

  it.each([301, 302, 303, 307, 308])('%i is not followed, and not tried again', async (status) => {
    let asked = 0;
    peer.answer = (_, response) => {
      asked += 1;
      response.writeHead(status, { location: `${other.url}/users/track` }).end();
    };
    for (const call of [
      () => client(peer.url, { retryFor: 60 }).users.track(body),
      () => client(peer.url, { retryFor: 60 }).requests.read('r1'),
    ])
      expect(await errorOf(call())).toMatchObject({ name: 'RosterError', status, attempts: 1, retry: false });
    expect([asked, elsewhere.asked]).toEqual([2, 0]);
  });

  it('is refused when a fetch of the caller has followed it', async () => {
    peer.answer = (_, response) => response.writeHead(307, { location: other.url }).end();
    const following = (url: string, init: RequestInit) => fetch(url, { ...init, redirect: 'follow' });
    const error = await errorOf(client(peer.url, { fetch: following }).users.track(body));
    expect(error).toMatchObject({ message: 'the address redirects, and redirects are not followed' });
  });
});

describe('a refusal that is not from Roster', () => {
  const peer = usePeer();
  const page = '<html>Blocked by the network</html>';
  const answered = (status: number, text: string, headers = {}) => {
    peer.answer = (_, response) => response.writeHead(status, headers).end(text);
    return errorOf(client(peer.url).users.track(body));
  };

  it.each([
    [400, 'RosterError'],
    [401, 'RosterError'],
    [403, 'RosterError'],
    [404, 'RosterError'],
    [409, 'RosterError'],
    [413, 'RosterError'],
    [418, 'RosterError'],
    [429, 'RateLimitError'],
    [500, 'UnavailableError'],
    [502, 'UnavailableError'],
  ])('%i is told as what it is: %s', async (status, name) => {
    for (const [text, headers] of [
      [page, { 'content-type': 'text/html; charset=utf-8' }],
      ['', {}],
      ['{"message":"Forbidden"}', { 'content-type': 'application/json' }],
      ['{"code":1020,"detail":"who are you"}', { 'x-request-id': 'of the proxy' }],
    ] as const)
      expect(await answered(status, text, headers)).toMatchObject({
        ...{ name, status, code: undefined, field: undefined },
        message: `users.track was answered with ${status}, but not by Roster`,
        remedy: expect.stringContaining('a firewall'),
      });
  });
});

describe('an error of entries', () => {
  const peer = usePeer();

  it('says in its message what is wrong with the first one', async () => {
    const one = { type: "'time' is required", code: 'MISSING', input_array: 'events' };
    const errors = [
      { ...one, index: 3 },
      { ...one, index: 4 },
    ];
    const sentence = 'Valid data must be provided';
    peer.answer = (_, response) =>
      response.writeHead(400).end(JSON.stringify({ message: sentence, code: 'NO_VALID_DATA', errors }));
    expect(await errorOf(client(peer.url).users.track(body))).toMatchObject({
      message: `${sentence} (events[3]: 'time' is required)`,
      field: 'time',
      errors,
    });
  });
});

describe('a limit of nothing', () => {
  it.each([{ timeout: 0 }, { timeout: -1 }, { timeout: Number.NaN }, { maxAnswerBytes: 0 }])(
    '%j is refused by the client',
    (options) => {
      const [name] = Object.keys(options);
      const told = new TypeError(`the option '${name}' must be more than 0`);
      expect(() => client('http://127.0.0.1:9', options)).toThrow(told);
    },
  );

  it('is refused by a call', async () => {
    const call = client('http://127.0.0.1:9').users.track(body, { timeout: 0 });
    await expect(call).rejects.toThrow(new TypeError("the option 'timeout' must be more than 0"));
  });
});

describe('an option that is none', () => {
  const peer = usePeer((_, response) => response.end('{"message":"success"}'));
  const other = <Options>(name: string): Options => ({ [name]: 1 }) as Options;
  const told = (name: string) => new TypeError(`the option '${name}' is not known`);

  it('is refused by the client and by a batch', () => {
    expect(() => client(peer.url, other('retries'))).toThrow(told('retries'));
    expect(() => client(peer.url).batch(other('maxentries'))).toThrow(told('maxentries'));
  });

  it('is refused by a call, before anything is sent', async () => {
    const fetch = jest.fn();
    const call = client(peer.url, { fetch }).users.track(body, other('idempotency_key'));
    await expect(call).rejects.toThrow(told('idempotency_key'));
    expect(fetch).not.toHaveBeenCalled();
  });

  it('and all that there are are taken', async () => {
    const use: Middleware[] = [(_, next) => next()];
    const most = { webhookSecret: 'whsec_c2VjcmV0', log: () => {}, use, fetch: globalThis.fetch };
    const roster = client(peer.url, {
      ...most,
      timeout: 9,
      retryFor: 1,
      maxAnswerBytes: 99,
      scim: { token: 't', origin: 'o' },
    });
    const call = {
      timeout: 9,
      retryFor: 1,
      retryIf: () => false,
      pause: async () => {},
      wait: 1,
      idempotencyKey: 'one',
    };
    const signal = new AbortController().signal;
    await expect(roster.users.track(body, { ...call, signal, headers: { a: 'b' } })).resolves.toBeDefined();
    const limits = { maxEntries: 1, maxBytes: 99, maxDelay: 1, maxWaiting: 9, maxWaitingBytes: 999 };
    const batch = roster.batch({ operation: 'users.track', ...limits, wait: 1, retryFor: 1 });
    await batch.close();
  });
});

describe('what JSON would change without a word', () => {
  const peer = usePeer((_, response) => response.end('{"message":"success"}'));
  const track = (value: unknown) =>
    errorOf(
      client(peer.url).users.track({ attributes: [{ external_id: 'ada', deep: [{ x: value as string }] }] }),
    );

  it.each([
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [new Map([['a', 1]]), '[object Map]'],
    [new Set([1]), '[object Set]'],
    [new Date('yesterday'), 'Invalid Date'],
  ])('%p is not sent', async (value, what) => {
    const words = `is ${what}, which JSON can't hold`;
    expect(await track(value)).toEqual(new TypeError(`body.attributes.0.deep.0.x ${words}`));
    const batch = client(peer.url).batch();
    const outcome = await batch.attributes({ external_id: 'ada', x: value } as { external_id: string });
    expect(outcome).toEqual({ state: 'failed', error: new TypeError(`entry.x ${words}`) });
    await batch.close();
  });

  it.each([[null], [{}], [new Date(0)], [undefined], ['null']])('%p is', async (value) => {
    expect(await track(value)).toEqual({ message: 'success' });
  });
});

describe('a success', () => {
  const peer = usePeer();
  const answered = (status: number, text: string, headers = {}) => {
    peer.answer = (_, response) => response.writeHead(status, headers).end(text);
    return errorOf(client(peer.url).users.track(body));
  };

  it.each([
    ['{}', 200, '{}'],
    ['nothing', 204, ''],
    ['a page', 200, '<html>Sign in to the network</html>'],
    ['a list', 200, '[]'],
    ['null', 200, 'null'],
    ['a message that is no text', 200, '{"message":{}}'],
    ['half an answer', 201, '{"message":"suc'],
  ])('is none when something answers with %s', async (_, status, text) => {
    expect(await answered(status, text)).toMatchObject({ name: 'ConnectionError', status, attempts: 1 });
  });

  it('is what Roster has signed: by a message, or by the id of the request', async () => {
    expect(await answered(201, '{"message":"success"}')).toEqual({ message: 'success' });
    expect(await answered(200, '{"users":[]}', { 'x-request-id': 'r1' })).toEqual({ users: [] });
    expect(await answered(204, '', { 'x-request-id': 'r1' })).toEqual({});
  });

  it('is asked for again while something else answers, under the same key', async () => {
    const keys: unknown[] = [];
    peer.answer = ({ headers }, response) => {
      keys.push(headers['idempotency-key']);
      response.end(keys.length < 3 ? '{}' : '{"message":"success"}');
    };
    const answer = await client(peer.url, { retryFor: 60 }).users.track(body);
    expect(about(answer)?.attempts).toBe(3);
    expect(new Set(keys).size).toBe(1);
  });
});

describe('an answer without end', () => {
  const peer = usePeer();

  it.each([200, 400, 503])(
    'with status %i is cut off at its bound, and its connection closed',
    async (status) => {
      const closed = new Promise((resolve) => {
        peer.answer = (_, response) => {
          response.writeHead(status);
          const more = (): unknown =>
            response.write('x'.repeat(10_000), (error) => error ?? setImmediate(more));
          more();
          response.on('close', resolve);
        };
      });
      const error = await errorOf(
        client(peer.url, { maxAnswerBytes: 50_000, retryFor: 60 }).users.track(body),
      );
      expect(error).toMatchObject({ message: 'the answer has more than 50000 bytes', status, attempts: 1 });
      await closed;
    },
  );

  it('is taken up to its bound, whole characters across its pieces', async () => {
    const text = JSON.stringify({ message: 'é'.repeat(20_000) });
    peer.answer = (_, response) => {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += 1001) response.write(bytes.subarray(at, at + 1001));
      response.end();
    };
    const most = Buffer.byteLength(text);
    expect(await client(peer.url, { maxAnswerBytes: most }).users.track(body)).toEqual(JSON.parse(text));
    const error = await errorOf(client(peer.url, { maxAnswerBytes: most - 1 }).users.track(body));
    expect(error).toMatchObject({ name: 'RosterError' });
  });
});

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 21\r\n\r\n{"message":"success"}';

/** A `fetch` over the agent of Node, which takes a socket of its pool as long as there is one. */
const fetchBy =
  (agent: Agent) =>
  (url: string, { method, headers }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const sent = { agent, method, headers: headers as Record<string, string> };
      const sending = request(url, sent, async (answer) =>
        resolve(new Response(await textOf(answer), { status: answer.statusCode ?? 0 })),
      );
      sending.on('error', reject).end();
    });

describe('sockets that died while the process was frozen', () => {
  it.each([1, 5, 20])('%i of them are as many further tries, though retries are off', async (count) => {
    const sockets: Socket[] = [];
    let isThawed = false;
    let waiting: (() => void)[] = [];
    const server = createServer((socket) => {
      const isOld = !isThawed;
      sockets.push(socket.on('error', () => {}));
      // The first requests are answered when all of them are there, so that each has a socket of its own.
      socket.on('data', () => {
        if (isThawed) return isOld ? socket.resetAndDestroy() : socket.write(ok);
        waiting.push(() => socket.write(ok));
        if (waiting.length === count) for (const answer of waiting) answer();
      });
    });
    const agent = new Agent({ keepAlive: true });
    const roster = client(await listening(server), { fetch: fetchBy(agent) });
    try {
      await Promise.all(Array.from({ length: count }, () => roster.requests.read('r1')));
      // Now the pool has taken them back.
      await new Promise(setImmediate);
      waiting = [];
      isThawed = true;
      expect(about(await roster.requests.read('r1'))?.attempts).toBe(count + 1);
    } finally {
      agent.destroy();
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  });

  it('are not assumed where none can be: a service that closes each connection is asked twice', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.on('error', () => {}).destroy();
    });
    try {
      const error = await errorOf(client(await listening(server)).requests.read('r1'));
      expect(error).toMatchObject({ name: 'ConnectionError', attempts: 2 });
      expect(connections).toBe(2);
    } finally {
      server.close();
    }
  });
});

describe('fails at once, without the key in its error:', () => {
  const never = async (url: string, more: object = {}): Promise<void> => {
    const error = await errorOf(client(url, { retryFor: 60, ...more }).users.track(body));
    expect(error).toMatchObject({ name: 'ConnectionError', attempts: 1, retry: false });
    expect(lines).toEqual([
      expect.stringMatching(/^roster: users\.track, attempt 1 failed: .*; the call fails$/),
    ]);
    expect(`${(error as Error).stack}${(error as Error).message}${lines}`).not.toContain('secret-key');
  };

  it('a certificate that nobody has signed', async () => {
    const { key, certificate: cert } = certificateFor('localhost');
    const server = createTlsServer({ key, cert }, (_, response) => response.end('{"message":"success"}'));
    const url = await listening(server);
    try {
      await never(url.replace('http:', 'https:'));
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('https at a port that speaks http', async () => {
    const { url, close } = await openServer((_, response) => response.end());
    try {
      await never(url.replace('http:', 'https:'));
    } finally {
      await close();
    }
  });

  it('a port that fetch never asks', () => never('http://127.0.0.1:6000'));

  it.each([
    ['a word', 'roster', 'must be an address such as'],
    ['nothing', '', 'must be an address such as'],
    ['another scheme', 'redis://roster.example.com', 'must be an address such as'],
    ['a scheme that is forgotten', 'localhost:3000', 'must be an address such as'],
    ['a password', 'https://u:secret-key@roster.example.com', 'must not hold a user, a query'],
    ['a key as user', 'https://secret-key@roster.example.com', 'must not hold a user, a query'],
    ['a query', 'https://roster.example.com/?key=secret-key', 'must not hold a user, a query'],
  ])('%s as url', (_, url, message) => {
    const make = () => new Roster({ url, key: 'k' });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
    expect(make).not.toThrow('secret-key');
  });

  it.each(['secret-key\n', 'secret\r\nkey', 'secret key', 'secret-kéy', 'secret-key\0', ''])(
    'the key %j',
    (key) => {
      const make = () => new Roster({ url: 'https://roster.example.com', key });
      expect(make).toThrow("the option 'key'");
      expect(make).not.toThrow(/secret/);
      const scim = { token: key, origin: 'https://idp.example' };
      expect(() => new Roster({ url: 'https://roster.example.com', scim })).toThrow(
        "the option 'scim.token'",
      );
    },
  );

  it.each([
    ['a header', { headers: { 'if-match': 'a\nsecret' } }, 'if-match'],
    ['the name of a header', { headers: { 'if match': 'secret' } }, 'if match'],
    ['an idempotency key', { idempotencyKey: 'sécret ✓' }, 'idempotency-key'],
  ])('%s that no request can carry', async (_, options, name) => {
    const error = await errorOf(
      client('http://127.0.0.1:9', { retryFor: 60 }).users.track(body, options as object),
    );
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toBe(`the header '${name}' has a character that no header may have`);
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(/s[eé]cret/);
  });
});

describe('a failed attempt', () => {
  const peer = usePeer();

  it('can be seen before the next one begins', async () => {
    let asked = 0;
    peer.answer = (_, response) => {
      asked += 1;
      if (asked > 1) expect(lines).toHaveLength(1);
      response.writeHead(asked === 1 ? 503 : 200).end('{"message":"away\\nfor now","code":"UNAVAILABLE"}');
    };
    await client(peer.url, { retryFor: 60 }).users.track(body);
    expect(lines).toEqual([
      'roster: users.track, attempt 1 failed: 503 UNAVAILABLE away for now; next attempt in 0.0 s',
    ]);
  });

  it.each([
    ['1', 1],
    ['', 0],
    ['0', 0],
  ])('is seen on standard error with ROSTER_DEBUG=%s', async (value, count) => {
    const said = jest.spyOn(console, 'error').mockReturnValue();
    process.env.ROSTER_DEBUG = value;
    try {
      peer.answer = (_, response) => response.writeHead(503).end();
      await errorOf(client(peer.url, { log: undefined }).users.track(body));
      expect(said).toHaveBeenCalledTimes(count);
    } finally {
      delete process.env.ROSTER_DEBUG;
      said.mockRestore();
    }
  });
});

describe('headers', () => {
  const peer = usePeer();

  it('name the client, and stand there once, however the caller writes them', async () => {
    let seen: Record<string, unknown> = {};
    peer.answer = async (request, response) => {
      seen = { ...request.headers, body: await textOf(request) };
      response.end('{"message":"success"}');
    };
    await client(peer.url).users.track(body);
    expect(seen).toMatchObject({ 'user-agent': 'roster-client/0.1.0', body: JSON.stringify(body) });
    const headers = { 'User-Agent': 'mine', 'Idempotency-Key': 'k1', 'X-None': undefined };
    await client(peer.url).users.track(body, { headers });
    expect(seen).toMatchObject({ 'user-agent': 'mine', 'idempotency-key': 'k1' });
    expect(seen['x-none']).toBeUndefined();
  });
});

describe('the class', () => {
  class Mine extends Roster {
    greet = () => 'hello';
    ask(): string {
      return `${this.greet()} ${typeof this.users.track}`;
    }
    override batch(options?: object) {
      return super.batch({ ...options, maxEntries: 7 });
    }
  }

  it('is the class of its objects, and of those of its subclasses, which keep their methods', async () => {
    const options = { url: 'https://roster.example.com', key: 'secret-key' };
    expect(new Roster(options)).toBeInstanceOf(Roster);
    const mine = new Mine(options);
    expect(mine).toBeInstanceOf(Roster);
    expect(mine).toBeInstanceOf(Mine);
    expect(mine.ask()).toBe('hello function');
    const { batch, call } = mine;
    expect(batch().waiting).toEqual({ entries: 0, bytes: 0 });
    await expect(call('nothing')).rejects.toThrow('nothing is not an operation');
    expect(JSON.stringify(mine)).not.toContain('secret-key');
  });
});

/**
 * Two services over real sockets, and callers who speak to one of them: by fetch, as a program of a user does, and once by a bare socket, as no HTTP
 * library would write it.
 */
import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { until } from '@roster/testkit';
import { runCommand } from '../program.ts';
import { anIo, run } from '../test-io.ts';
import { inWords } from './comparison.ts';
import { createCopies } from './copies.ts';
import { createForward } from './forward.ts';
import { createMirror, type Match, matchOf } from './mirror.ts';
import {
  answering,
  away,
  hangingUp,
  headers,
  nonsense,
  post,
  proxyOf,
  serve,
  silent,
  success,
} from './testbed.ts';

it('passes a request on to both, each with its key, and answers with the first one', async () => {
  const [theirs, ours]: [string[], string[]] = [[], []];
  const { url, comparison, proxy } = await proxyOf(
    answering(201, { message: 'success', events_processed: 1 }, theirs),
    answering(201, { message: 'success', events_processed: 1, request_id: 'r' }, ours),
  );
  const answer = await post(`${url}/users/track`, { events: [] });
  expect([answer.status, await answer.json()]).toEqual([201, { message: 'success', events_processed: 1 }]);
  await fetch(`${url}/subscription/history?external_id=ada`, { headers });
  await proxy.settled();
  expect(theirs[0]).toBe('POST /users/track Bearer theirs {"events":[]}');
  expect(ours).toEqual([
    'POST /users/track Bearer ours {"events":[]}',
    'GET /subscription/history?external_id=ada Bearer ours ',
  ]);
  expect(comparison.report().operations['users.track']).toEqual({ requests: 1, same: 1, places: {} });
});

it('tells which members differ, without their values', async () => {
  const user = { external_id: 'ada', email: 'secret@example.com', created_at: 'then', 'a\u001b[31m': 1 };
  const mine = { external_id: 'ada', email: 'other@example.com', created_at: 'now' };
  const [theirs, ours] = [answering(201, { users: [user] }), answering(201, { users: [mine] })];
  const { url, comparison, proxy } = await proxyOf(theirs, ours);
  for (let time = 0; time < 3; time++) await post(`${url}/users/export/ids`, { external_ids: ['ada'] });
  await proxy.settled();
  expect(inWords(comparison.report()).replace(/^ {4}.*\n/gm, '')).toBe(
    [
      'users.export.ids: 3 compared, 0 with the same answer',
      '  3 x users[].email',
      '  3 x users[].a?[31m (missing)\n',
    ].join('\n'),
  );
});

it.each([
  [201, 400],
  [400, 201],
  [201, 500],
])('%i of the other service and %i of Roster differ', async (theirs, ours) => {
  const { url, comparison, proxy } = await proxyOf(
    answering(theirs, { message: 'one' }),
    answering(ours, { message: 'other' }),
  );
  expect((await post(`${url}/users/track`, {})).status).toBe(theirs);
  await proxy.settled();
  const places = { [`status ${theirs}, here ${ours}`]: 1 };
  expect(comparison.report().operations['users.track']).toMatchObject({ requests: 1, same: 0, places });
});

it.each([401, 403, 429, 500, 503])('keeps from Roster what was answered with %i', async (status) => {
  const ours: string[] = [];
  const { url, comparison, proxy } = await proxyOf(answering(status, {}), answering(201, {}, ours));
  expect((await post(`${url}/users/track`, {})).status).toBe(status);
  await proxy.settled();
  const notCompared = { [`the other service answered ${status}`]: 1 };
  expect([ours, comparison.report()]).toEqual([[], { operations: {}, notCompared }]);
});

describe('another service', () => {
  it('that is away is a 502, and its requests do not go to Roster', async () => {
    const ours: string[] = [];
    const { url, comparison, proxy } = await proxyOf('http://127.0.0.1:9', answering(201, {}, ours));
    const large = { name: 'x'.repeat(1_000_000) };
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(`${url}/users/track`, large)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([502]));
    await proxy.settled();
    expect([ours, comparison.report()]).toEqual([
      [],
      { operations: {}, notCompared: { 'no answer of the other service': 20 } },
    ]);
  });

  it.each<[string, RequestListener]>([
    ['hangs up', hangingUp],
    [
      'changes the protocol',
      (request) =>
        void request.socket.write('HTTP/1.1 101 Other\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
    ['speaks nonsense', nonsense],
  ])('that %s is a 502', async (_, listener) => {
    const { url } = await proxyOf(listener, success);
    expect((await post(`${url}/users/track`, {})).status).toBe(502);
  });

  it('that breaks off breaks off for the caller', async () => {
    const { url, comparison, proxy } = await proxyOf((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    }, success);
    await expect(post(`${url}/users/track`, {}).then((answer) => answer.text())).rejects.toThrow();
    await proxy.settled();
    expect(comparison.report().notCompared).toEqual({ 'no answer of the other service': 1 });
  });

  it('that is silent is left after its time', async () => {
    const forward = createForward(await serve(silent), createCopies(), 20);
    const url = await serve((request, response) => void forward.pass(request, response));
    expect((await post(url, {})).status).toBe(502);
  });

  it('is left when its caller leaves', async () => {
    let hasClosed = false;
    let hasCome = false;
    const { url, proxy } = await proxyOf((request) => {
      hasCome = true;
      request.socket.once('close', () => {
        hasClosed = true;
      });
    }, success);
    const leaving = new AbortController();
    const call = fetch(`${url}/users/track`, { method: 'POST', body: '{}', signal: leaving.signal });
    call.catch(() => undefined);
    await until(() => hasCome);
    leaving.abort();
    await until(() => hasClosed);
    await proxy.settled();
  });
});

it('passes on a body of any size, and compares it up to eight megabytes', async () => {
  const lengths: [number[], number[]] = [[], []];
  const counting =
    (place: 0 | 1): RequestListener =>
    async (request, response) => {
      let length = 0;
      for await (const chunk of request) length += chunk.length;
      lengths[place].push(length);
      response
        .writeHead(201, { 'set-cookie': ['a', 'b'], 'x-request-id': 'r1' })
        .end('{"message":"success"}');
    };
  const { url, comparison, proxy } = await proxyOf(counting(0), counting(1));
  const mega = 1024 * 1024;
  for (const size of [7 * mega, 9 * mega]) {
    const answer = await fetch(`${url}/users/track`, { method: 'POST', body: `"${'x'.repeat(size - 2)}"` });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([201, ['a', 'b']]);
  }
  await proxy.settled();
  expect(lengths).toEqual([[7 * mega, 9 * mega], [7 * mega]]);
  expect(comparison.report().notCompared).toEqual({ 'a body is too large, or has an encoding': 1 });
});

it('is not stopped by an answer that is nested without end', async () => {
  const depth = 200_000;
  const nested = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const { url, comparison, proxy } = await proxyOf(
    (_, response) => void response.writeHead(201).end(nested),
    answering(201, { a: 1 }),
  );
  expect(await (await post(`${url}/users/track`, {})).text()).toBe(nested);
  await proxy.settled();
  expect(comparison.report().operations['users.track']).toMatchObject({ requests: 1, same: 0 });
});

describe('a Roster that behaves badly', () => {
  const mega = 1024 * 1024;

  /** An answer of so many bytes; counts what was taken of it, and how often it was asked. */
  const large = (bytes: number) => {
    const seen = { bytes: 0, requests: 0 };
    const piece = Buffer.alloc(mega, ' ');
    function* pieces() {
      yield '{"message":"';
      for (let sent = 0; sent < bytes; sent += mega) {
        seen.bytes += mega;
        yield piece;
      }
      yield '"}';
    }
    const listener: RequestListener = (request, response) => {
      request.resume();
      seen.requests += 1;
      response.writeHead(201, { 'content-type': 'application/json', 'x-request-id': 'r1' });
      pipeline(Readable.from(pieces()), response).catch(() => undefined);
    };
    return { seen, listener };
  };

  it.each<[string, () => RequestListener]>([
    ['is away', () => away],
    ['never answers', () => silent],
    ['hangs up', () => hangingUp],
    ['answers with 1 GB', () => large(1024 * mega).listener],
    ['answers nonsense', () => nonsense],
  ])('that %s changes no byte of an answer, and is told', async (_, listener) => {
    const bytes = randomBytes(100_000);
    const theirs: RequestListener = (request, response) => {
      request.resume();
      response.writeHead(201, { 'x-theirs': 'yes' }).end(bytes);
    };
    const { url, comparison, proxy } = await proxyOf(theirs, listener(), 1);
    for (const path of ['/campaigns/trigger/send', ...Array(5).fill('/users/track')]) {
      const answer = await post(url + path, { events: [] });
      expect([answer.status, answer.headers.get('x-theirs')]).toEqual([201, 'yes']);
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    }
    await proxy.end();
    const { operations, notCompared } = comparison.report();
    const { 'Roster has no such path': unknown, ...reasons } = notCompared;
    const allowed = ['no answer of Roster', 'the answer of Roster is too large'];
    expect([operations, unknown, Object.keys(reasons).filter((one) => !allowed.includes(one))]).toEqual([
      {},
      1,
      [],
    ]);
    expect(Object.values(reasons).reduce((sum, one) => sum + one, 0)).toBe(5);
  });

  it.each([
    ['breaks off an answer beyond the bound, and does not ask for it again', 4 * mega, false],
    ['would take all of it without the bound', 1024 * mega, true],
  ])('%s', async (_, mostAnswer, isAll) => {
    const { seen, listener } = large(64 * mega);
    const { url, comparison, proxy } = await proxyOf(success, listener, 60_000, { mostAnswer });
    expect((await post(`${url}/users/track`, {})).status).toBe(201);
    await proxy.settled();
    const notCompared = isAll ? {} : { 'the answer of Roster is too large': 1 };
    expect(comparison.report().notCompared).toEqual(notCompared);
    // Sockets hold some of it on the way.
    expect([seen.requests, seen.bytes > 32 * mega]).toEqual([1, isAll]);
  });

  it.each([
    ['holds no more bodies than may be kept while it is silent', 1 * mega, 15],
    ['would hold all of them without the bound', 1024 * mega, 0],
  ])('%s', async (_, all, left) => {
    const copyOf = createCopies({ one: 8 * mega, all });
    const { url, comparison, proxy } = await proxyOf(success, silent, 1, { copyOf });
    for (let n = 0; n < 20; n++) await post(`${url}/users/track`, { text: 'x'.repeat(200_000) });
    await proxy.end();
    expect(comparison.report().notCompared['a body is too large, or has an encoding'] ?? 0).toBe(left);
  });
});

it('keeps copies within one bound for all, and gives it back', async () => {
  const copyOf = createCopies({ one: 3_000, all: 4_000 });
  const copied = async (bytes: number) => {
    const copy = copyOf(Readable.from([Buffer.alloc(bytes, 'x')]).on('end', () => undefined));
    await new Promise((resolve) => setImmediate(resolve));
    return copy;
  };
  const first = await copied(2_500);
  const second = await copied(2_500);
  expect([first.bytes().length, second.isKept(), (await copied(3_500)).isKept()]).toEqual([
    2_500,
    false,
    false,
  ]);
  first.free();
  expect((await copied(2_500)).isKept()).toBe(true);
});

it('lets the body of one request be no second request', async () => {
  const theirs: string[] = [];
  const { proxy } = await proxyOf(answering(200, {}, theirs), success);
  const socket = connect(proxy.port, '127.0.0.1');
  const body = 'GET /users/track HTTP/1.1\r\nhost: a\r\n\r\n';
  socket.write(
    `GET /a HTTP/1.1\r\nhost: a\r\nconnection: close, transfer-encoding\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  );
  await new Promise((resolve) => socket.resume().once('close', resolve));
  expect(theirs).toEqual([`GET /a undefined ${body}`]);
});

it('lets no more requests wait for Roster than may', async () => {
  const to = await serve(silent);
  const mirror = createMirror({ url: to, key: 'k' }, { mostWaiting: 20, endMs: 1 });
  const request = { id: 'users.track', params: [], query: new URLSearchParams(), json: () => '{}' };
  const sent = Array.from({ length: 21 }, () => mirror.send({ ...request, idempotencyKey: undefined }));
  expect(sent.filter((one) => one === undefined)).toHaveLength(1);
  const settled = Promise.allSettled(sent.slice(0, 20));
  mirror.end();
  expect((await settled).every(({ status }) => status === 'rejected')).toBe(true);
});

describe('the command', () => {
  it('is ended by Ctrl-C in the middle: the request under way is answered, then the report, and 0', async () => {
    const from = await serve((request, response) => {
      process.emit('SIGINT');
      return success(request, response);
    });
    const { io, out, err } = anIo({ env: { ROSTER_URL: await serve(success), ROSTER_API_KEY: 'secret' } });
    const ended = runCommand(['compare', '--from', from, '--port', '0'], io);
    const [, url] = await until(() => /(http:\/\/127\.0\.0\.1:\d+) goes on/.exec(err()));
    expect((await post(`${url}/users/track`, {})).status).toBe(201);
    expect(await ended).toBe(0);
    expect(out()).toBe('users.track: 1 compared, 1 with the same answer\n');
    expect(err()).not.toContain('secret');
  });

  it.each(['nowhere', 'ftp://a.example', 'https://user:word@a.example', 'https://a.example?key=k'])(
    'refuses --from %s, and does not repeat it',
    async (from) => {
      const env = { ROSTER_URL: 'http://127.0.0.1:9', ROSTER_API_KEY: 'k' };
      const { code, err } = await run(`compare --from ${from}`, { env });
      expect([code, err]).toEqual([2, expect.not.stringContaining(from)]);
    },
  );
});

it.each<[string, string, Match | undefined]>([
  ['POST', '/users/track', { id: 'users.track', params: [] }],
  ['GET', '/requests/r%201', { id: 'requests.read', params: ['r 1'] }],
  ['GET', '/preference_center/v1/list', { id: 'preference_center.list', params: [] }],
  ['GET', '/users/track', undefined],
  ['POST', '/scim/v2/Users', undefined],
])('%s %s is %o', (method, path, match) => expect(matchOf(method, path)).toEqual(match));

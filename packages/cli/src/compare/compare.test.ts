/** Two services over real sockets, and callers who speak to one of them. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runCommand } from '../program.ts';
import { anIo } from '../test-io.ts';
import { matchOf } from './match.ts';
import { createMirror } from './mirror.ts';
import { placesOf } from './places.ts';
import { openProxy } from './proxy.ts';
import { createTally, inWords, type Tally } from './tally.ts';

const servers: Server[] = [];

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const answering =
  (status: number, body: object, seen: string[] = []): RequestListener =>
  async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    seen.push(`${request.method} ${request.url} ${request.headers.authorization} ${text}`);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

const proxyOf = async (from: string, to: string, tally: Tally) => {
  const mirror = createMirror({ url: to, key: 'ours' });
  const server = await openProxy(0, { from, mirror, tally, ignored: new Set(['created_at']) });
  servers.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, mirror };
};

const headers = { authorization: 'Bearer theirs', 'content-type': 'application/json' };
const post = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });

it('passes a request on to both, each with its key, and answers with the first one', async () => {
  const [theirs, ours]: string[][] = [[], []];
  const from = await serve(answering(201, { message: 'success', events_processed: 1 }, theirs));
  const to = await serve(answering(201, { message: 'success', events_processed: 1, request_id: 'r' }, ours));
  const tally = createTally();
  const { url, mirror } = await proxyOf(from, to, tally);
  const answer = await post(`${url}/users/track`, { events: [] });
  expect([answer.status, await answer.json()]).toEqual([201, { message: 'success', events_processed: 1 }]);
  await fetch(`${url}/subscription/history?external_id=ada`, { headers });
  await mirror.idle();
  expect(theirs?.[0]).toBe('POST /users/track Bearer theirs {"events":[]}');
  expect(ours).toEqual([
    'POST /users/track Bearer ours {"events":[]}',
    'GET /subscription/history?external_id=ada Bearer ours ',
  ]);
  expect(tally.report().operations['users.track']).toEqual({ requests: 1, same: 1, places: {} });
});

it('tells which members differ, without their values', async () => {
  const user = { external_id: 'ada', email: 'secret@example.com', created_at: 'then', apps: [1] };
  const from = await serve(answering(201, { message: 'success', users: [user] }));
  const mine = { external_id: 'ada', email: 'other@example.com', created_at: 'now' };
  const to = await serve(answering(201, { message: 'success', users: [mine] }));
  const tally = createTally();
  const { url, mirror } = await proxyOf(from, to, tally);
  for (let time = 0; time < 3; time++) await post(`${url}/users/export/ids`, { external_ids: ['ada'] });
  await mirror.idle();
  expect(inWords(tally.report())).toBe(
    'users.export.ids: 3 compared, 0 with the same answer\n  3 x users[].email\n  3 x users[].apps (missing)\n',
  );
});

it('tells that one refuses what the other takes', async () => {
  const from = await serve(answering(201, { message: 'success' }));
  const to = await serve(answering(400, { message: 'no' }));
  const tally = createTally();
  const { url, mirror } = await proxyOf(from, to, tally);
  await post(`${url}/users/track`, {});
  await mirror.idle();
  expect(tally.report().operations['users.track']?.places).toEqual({ 'status 201, here 400': 1 });
});

it.each([
  [500, 201, 'status 500, here 201'],
  [201, 500, 'status 201, here 500'],
  [400, 500, 'status 400, here 500'],
])('%i of the other service and %i of Roster are "%s"', async (theirs, ours, place) => {
  const from = await serve(answering(theirs, { message: 'one' }));
  const to = await serve(answering(ours, { message: 'other' }));
  const tally = createTally();
  const { url, mirror } = await proxyOf(from, to, tally);
  expect((await post(`${url}/users/track`, {})).status).toBe(theirs);
  await mirror.idle();
  expect(tally.report().operations['users.track']).toEqual({ requests: 1, same: 0, places: { [place]: 1 } });
});

it('serves callers also where Roster has no such path, or gives no answer', async () => {
  const from = await serve(answering(200, { message: 'success' }));
  const to = await serve(answering(503, { message: 'away' }));
  const tally = createTally();
  const { url, mirror } = await proxyOf(from, to, tally);
  expect((await post(`${url}/campaigns/trigger/send`, {})).status).toBe(200);
  expect((await post(`${url}/users/track`, {})).status).toBe(200);
  await mirror.end();
  expect(tally.report().notCompared).toEqual({ 'Roster has no such path': 1, 'no answer of Roster': 1 });
});

const nowhere = 'http://127.0.0.1:9';

it('answers 502 when both are away, and ends at once all the same', async () => {
  const tally = createTally();
  const { url, mirror } = await proxyOf(nowhere, nowhere, tally);
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(`${url}/users/track`, {})));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([502]));
  const began = performance.now();
  await mirror.end();
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(tally.report()).toEqual({ operations: {}, notCompared: { 'no answer of the other service': 50 } });
});

it('does not wait for a Roster that never answers when it ends', async () => {
  const to = await serve((request) => void request.resume());
  const mirror = createMirror({ url: to, key: 'k' }, { endMs: 100 });
  const passing = { method: 'POST', path: '/users/track', headers: {}, body: Buffer.from('{}') };
  const sent = Array.from({ length: 5 }, () => mirror.send({ id: 'users.track', params: [] }, passing));
  const told = Promise.allSettled(sent);
  await mirror.end();
  expect((await told).map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
});

it('takes a body of eight megabytes, and refuses a larger one without sending it on', async () => {
  const lengths: number[][] = [[], []];
  const counting =
    (place: number): RequestListener =>
    async (request, response) => {
      let length = 0;
      for await (const chunk of request) length += chunk.length;
      lengths[place]?.push(length);
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"message":"success"}');
    };
  const tally = createTally();
  const { url, mirror } = await proxyOf(await serve(counting(0)), await serve(counting(1)), tally);
  const most = 8 * 1024 * 1024;
  const sized = (bytes: number) =>
    fetch(`${url}/users/track`, { method: 'POST', headers, body: `"${'x'.repeat(bytes - 2)}"` });
  expect([(await sized(most)).status, (await sized(most + 1)).status]).toEqual([201, 413]);
  await mirror.idle();
  expect(lengths).toEqual([[most], [most]]);
});

it('as a command, is ended by Ctrl-C in the middle: the request under way is answered, then the report, and 0', async () => {
  const from = await serve(async (request, response) => {
    request.resume();
    process.emit('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 200));
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"message":"success"}');
  });
  const to = await serve(answering(201, { message: 'success' }));
  const { io, out, err } = anIo({ env: { ROSTER_URL: to, ROSTER_API_KEY: 'k' } });
  const ended = runCommand(['compare', '--from', from, '--port', '0'], io);
  while (!err().includes('goes on to')) await new Promise((resolve) => setTimeout(resolve, 10));
  const [, url] = /(http:\/\/127\.0\.0\.1:\d+) goes on/.exec(err()) ?? [];
  expect((await post(`${url}/users/track`, {})).status).toBe(201);
  expect(await ended).toBe(0);
  expect(out()).toBe('users.track: 1 compared, 1 with the same answer\n');
});

it('answers 502 when the other service is away', async () => {
  const to = await serve(answering(201, { message: 'success' }));
  const tally = createTally();
  const { url, mirror } = await proxyOf('http://127.0.0.1:9', to, tally);
  expect((await post(`${url}/users/track`, {})).status).toBe(502);
  await mirror.idle();
  expect(tally.report().notCompared).toEqual({ 'no answer of the other service': 1 });
});

it('lets no more requests wait for Roster than may', async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const to = await serve(async (request, response) => {
    request.resume();
    await held;
    response.writeHead(201).end('{"message":"success"}');
  });
  const mirror = createMirror({ url: to, key: 'k' }, { mostWaiting: 20 });
  const passing = { method: 'POST', path: '/users/track', headers: {}, body: Buffer.from('{}') };
  const match = { id: 'users.track', params: [] };
  const sent = Array.from({ length: 21 }, () => mirror.send(match, passing));
  expect(sent.filter((one) => one === undefined)).toHaveLength(1);
  release();
  await mirror.idle();
  expect(await sent[19]).toEqual({ status: 201, body: { message: 'success' } });
});

it.each([
  ['POST', '/users/track', { id: 'users.track', params: [] }],
  ['GET', '/requests/r%201', { id: 'requests.read', params: ['r 1'] }],
  ['GET', '/preference_center/v1/list', { id: 'preference_center.list', params: [] }],
  ['GET', '/users/track', undefined],
  ['POST', '/scim/v2/Users', undefined],
])('%s %s is %o', (method, path, match) => expect(matchOf(method, path)).toEqual(match));

it.each([
  [{ a: 1 }, { a: 1, b: 2 }, []],
  [{ a: 1 }, { a: '1' }, ['a']],
  [{ a: [1, 2] }, { a: [1] }, ['a[] (how many)']],
  [{ a: [{ b: 1 }, { b: 2 }] }, { a: [{ b: 0 }, { b: 0 }] }, ['a[].b']],
  ['text', { a: 1 }, ['(the body)']],
  [{ created_at: 1 }, {}, []],
])('%j and %j differ in %j', (theirs, ours, places) => {
  const ignored = new Set(['created_at']);
  expect(placesOf({ status: 200, body: theirs }, { status: 200, body: ours }, ignored)).toEqual(places);
});

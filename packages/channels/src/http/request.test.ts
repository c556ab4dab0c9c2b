/** The server is bare node:http: what is tested is the caller. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@roster/testkit';
import { type HttpOptions, sendRequest } from './request.ts';
import { useConnections, writeWithoutEnd } from './testbed.ts';

const connections = useConnections();

let listener: (request: IncomingMessage, response: ServerResponse) => void;
const server = createServer((request, response) => listener(request, response));
let port: number;
beforeAll(async () => {
  // Every IP of 127.0.0.0/8 leads to it: to a client these are different hosts.
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const send = (host: string, more: Partial<HttpOptions> = {}) =>
  sendRequest(
    { url: `http://${host}:${port}/`, method: 'POST', headers: {}, body: 'x' },
    { connections, allowPrivate: true, timeoutMs: 30_000, ...more },
  );

const openSockets = (): Promise<number> =>
  new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

it('name and password of the URL are sent', async () => {
  let got: string | undefined;
  listener = (request, response) => {
    got = request.headers.authorization;
    response.end();
  };
  await send('ada:a%20b@127.0.0.1');
  expect(got).toBe(`Basic ${Buffer.from('ada:a b').toString('base64')}`);
});

it('a name that cannot be read is refused', async () => {
  expect(await send('a%zz:b@127.0.0.1')).toMatchObject({ state: 'refused' });
});

it('an answer before the real one is passed over', async () => {
  listener = (_, response) => {
    response.writeProcessing();
    response.writeHead(204).end();
  };
  expect(await send('127.0.0.1')).toMatchObject({ status: 204 });
});

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
it.each([
  ['in one piece', [`HTTP/1.1 100 Continue\r\n\r\n${ok}`]],
  ['twice, with fields', [`HTTP/1.1 100\r\nx: y\r\n\r\nHTTP/1.0 100 Go on\r\n\r\n${ok}`]],
  ['byte by byte', [...`HTTP/1.1 100 Continue\r\n\r\n${ok}`]],
  ['while the body is still written', ['HTTP/1.1 100 Continue\r\n\r\n', ok]],
])('that it may go on is told unasked, %s, and passed over', async (_, parts) => {
  listener = async ({ socket }) => {
    for (const part of parts) await new Promise((resolve) => socket.write(part, resolve));
  };
  const answer = await send('127.0.0.1', { readsText: true });
  expect(answer).toMatchObject({ status: 200, text: 'ok' });
});

it('that it may go on, and nothing else, is no answer', async () => {
  listener = ({ socket }) => void socket.end('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.');
  expect(await send('127.0.0.1')).toMatchObject({ state: 'unknown', reason: 'connection_lost' });
});

it.each([
  ['SSH-2.0-OpenSSH_9.2\r\n', 'answer_unreadable'],
  [Buffer.from([0, 1, 255, 10, 13, 10]), 'answer_unreadable'],
  ['HTTP/1.1 200 OK\r\nConte', 'connection_lost'],
  [
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
    'answer_unreadable',
  ],
  ['HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 5\r\n\r\nokabc', 'answer_unreadable'],
  ['HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\n', 'answer_unreadable'],
  ['HTTP/1.1 999999 X\r\ncontent-length: 0\r\n\r\n', 'answer_unreadable'],
  ['HTTP/1.1 000 X\r\ncontent-length: 0\r\n\r\n', 'answer_unreadable'],
  [Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]), 'answer_unreadable'],
  ['', 'connection_lost'],
])('an answer that is none (%j) is told as what it is', async (said, reason) => {
  listener = ({ socket }) => void socket.end(said);
  expect(await send('127.0.0.1')).toMatchObject({ state: 'unknown', reason });
});

describe('without end', () => {
  const head = 'HTTP/1.1 200 OK';
  it.each([
    ['a field of such words', 'HTTP/1.1 100 Continue\r\n', 'x', 'answer_unreadable'],
    ['words that it may go on', '', 'HTTP/1.1 100 Continue\r\n\r\n', 'answer_unreadable'],
    ['answers before the real one', '', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'answer_unreadable'],
    ['a status line', head, 'x', 'answer_unreadable'],
    ['empty lines', '', '\r\n', 'answer_unreadable'],
    ['the name of a chunk', `${head}\r\ntransfer-encoding: chunked\r\n\r\n1;`, 'x', 200],
    ['fields after the text', `${head}\r\ntransfer-encoding: chunked\r\n\r\n0\r\n`, 'x: y\r\n', 200],
  ])('%s end the connection, long before the time is over', async (_, first, piece, wanted) => {
    let isOver = false;
    listener = ({ socket }) => {
      socket.on('close', () => {
        isOver = true;
      });
      socket.write(first);
      writeWithoutEnd(socket, piece);
    };
    const answer = await send('127.0.0.1', { timeoutMs: 3_600_000, readsText: true });
    expect(answer).toMatchObject(typeof wanted === 'number' ? { status: wanted } : { reason: wanted });
    await until(() => isOver);
  });

  it('fields are bounded before the parser bounds them, which makes an error for each one that is too many', async () => {
    listener = ({ socket }) => {
      socket.write(`${head}\r\n`);
      writeWithoutEnd(socket, 'x-more: and more\r\n');
    };
    const words = expect.stringContaining('more than 32768 bytes');
    expect(await send('127.0.0.1')).toMatchObject({ reason: 'answer_unreadable', words });
  });
});

it('connections to at most 256 hosts are kept', async () => {
  listener = (_, response) => void response.end();
  for (let host = 1; host <= 250; host++) await send(`127.0.1.${host}`);
  for (let host = 1; host <= 50; host++) await send(`127.0.2.${host}`);
  expect(await openSockets()).toBeLessThanOrEqual(256);
});

it('so many requests are under way at one host and in all, and another workspace does not wait for one', async () => {
  const held: { url: string; response: ServerResponse }[] = [];
  listener = (request, response) => void held.push({ url: request.headers.host ?? '', response });
  const inTime = { until: performance.now() + 600_000 };
  const all = [
    ...Array.from({ length: 200 }, () => send('127.0.3.1', { leave: { ws: 'slow', ...inTime } })),
    ...Array.from({ length: 1100 }, (_, n) =>
      send(`127.0.3.${2 + (n % 11)}`, { leave: { ws: 'large', ...inTime } }),
    ),
  ];
  const [hostMost, most] = [96, 96 + (3 / 4) * (1024 - 96)];
  await until(() => held.length >= most);
  const other = send('127.0.3.1', { leave: { ws: 'other', ...inTime } });
  await until(() => held.length > most);
  expect(held.filter(({ url }) => url.startsWith('127.0.3.1:'))).toHaveLength(hostMost + 1);
  listener = (_, response) => void response.end();
  for (const { response } of held) response.end();
  expect((await Promise.all([...all, other])).every((answer) => 'status' in answer)).toBe(true);
});

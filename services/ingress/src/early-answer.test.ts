/** Answers to requests of which much has not been read. By bare sockets: the caller sends everything before it reads a byte. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { until } from '@roster/testkit';
import { writeAnswer } from './answer.ts';
import { createBodyReader, createDeadlines } from './body.ts';
import { refuseBrokenRequests } from './broken-requests.ts';
import { inviteWhenRead } from './early-answer.ts';
import { createLinger, type Linger } from './linger.ts';
import { endlessRooms } from './rooms.ts';

const size = 10_000_000;
const body = Buffer.alloc(size, ' ');

/** Closes at once. */
const cutting: Linger = Object.assign((socket: Socket) => void socket.end(() => socket.destroy()), {
  has: () => false,
  size: () => 0,
  cut: () => {},
});

describe('an early answer', () => {
  let server: Server;
  let lingers = true;

  const linger = createLinger();
  const deadlines = createDeadlines();
  const readBody = createBodyReader(endlessRooms, deadlines);
  const read = (request: IncomingMessage, limit: number) => readBody({ request, ws: 'demo', limit });
  afterAll(() => deadlines.close());
  const refuse = (response: ServerResponse): void =>
    writeAnswer(
      response,
      { id: 'r1', closing: false, linger: lingers ? linger : cutting },
      { status: 401, body: '{"message":"no"}' },
    );

  const serve = async (handle: (request: IncomingMessage, response: ServerResponse) => void) => {
    server = createServer({ maxHeaderSize: 16_384 }, handle);
    server.on('checkContinue', (request, response) => {
      inviteWhenRead(request, response);
      handle(request, response);
    });
    refuseBrokenRequests(server, lingers ? linger : cutting);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  };
  beforeEach(() => {
    lingers = true;
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    await until(() => linger.size() === 0);
  });

  /** A caller who sends everything before it reads a byte, as many do; gives what it could read. */
  const say = async (...pieces: (string | Buffer)[]): Promise<string> => {
    const caller = connect({
      port: (server.address() as AddressInfo).port,
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    let text = '';
    const gone = new Promise((resolve) => caller.once('close', resolve));
    caller.on('error', () => caller.destroy());
    for (const piece of pieces) {
      if (!caller.destroyed) await new Promise((resolve) => caller.write(piece, resolve));
    }
    caller.on('data', (data) => {
      text += data;
    });
    caller.on('end', () => caller.end());
    await gone;
    return text;
  };

  const head = (...lines: string[]): string => ['POST / HTTP/1.1', 'Host: x', ...lines, '', ''].join('\r\n');
  const announcing = head(`Content-Length: ${size}`);
  const chunk = Buffer.concat([
    Buffer.from(`${(1_000_000).toString(16)}\r\n`),
    body.subarray(0, 1_000_000),
    Buffer.from('\r\n'),
  ]);

  it.each<[string, (string | Buffer)[]]>([
    ['with a length', [announcing, body]],
    [
      'in chunks',
      [head('Transfer-Encoding: chunked'), ...Array.from({ length: 10 }, () => chunk), '0\r\n\r\n'],
    ],
    ['by HTTP/1.0', [`POST / HTTP/1.0\r\nContent-Length: ${size}\r\n\r\n`, body]],
  ])('is read by a caller who sends everything first: %s', async (_, pieces) => {
    await serve((_request, response) => refuse(response));
    const text = await say(...pieces);
    expect(text).toMatch(
      /^HTTP\/1\.1 401 Unauthorized\r\n[\s\S]*Connection: close[\s\S]*\{"message":"no"\}$/i,
    );
  });

  it('is lost without the drain', async () => {
    lingers = false;
    await serve((_request, response) => refuse(response));
    expect(await say(announcing, body)).toBe('');
  });

  it('is read too when it comes in the middle of the body', async () => {
    await serve((request, response) => void read(request, 100_000).catch(() => refuse(response)));
    const sending = head('Content-Type: application/json', 'Transfer-Encoding: chunked');
    expect(await say(sending, ...Array.from({ length: 10 }, () => chunk))).toMatch(/^HTTP\/1\.1 401/);
  });

  it('is read when the body was not read for a while', async () => {
    await serve((request, response) => {
      request.pause();
      setTimeout(refuse, 200, response);
    });
    expect(await say(announcing, body)).toMatch(/^HTTP\/1\.1 401/);
  });

  it('answers HEAD with nothing but a head', async () => {
    await serve((_request, response) => refuse(response));
    const text = await say(announcing.replace('POST', 'HEAD'), body);
    expect(text).toMatch(/^HTTP\/1\.1 401[\s\S]*\r\n\r\n$/);
  });

  it('keeps the connection when the rest is small, also when its reading has not begun', async () => {
    await serve((request, response) => {
      request.pause();
      refuse(response);
    });
    const small = `${head('Content-Length: 1000')}${' '.repeat(1000)}`;
    const last = `${head('Content-Length: 1000', 'Connection: close')}${' '.repeat(1000)}`;
    const text = await say(small, small, last);
    expect(text.match(/HTTP\/1\.1 401/g)).toHaveLength(3);
  });

  it('comes instead of the invitation to send, when the headers are enough to refuse', async () => {
    await serve((_request, response) => refuse(response));
    expect(await say(head(`Content-Length: ${size}`, 'Expect: 100-continue'))).toMatch(/^HTTP\/1\.1 401/);
  });

  it('leaves the invitation to send to the reader of the body', async () => {
    await serve(async (request, response) => {
      const { bytes } = await read(request, size);
      writeAnswer(response, { id: 'r1', closing: true, linger }, { status: 200, body: `${bytes.length}` });
    });
    const text = await say(
      head('Content-Type: application/json', 'Content-Length: 5', 'Expect: 100-continue'),
      'hello',
    );
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK[\s\S]*5$/);
  });

  it.each([
    ['400', ['no HTTP\r\n\r\n', body]],
    ['431', [`POST / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, body]],
  ])('is read though the request could not be understood: %s', async (status, pieces) => {
    await serve((_request, response) => refuse(response));
    const said = await say(...pieces);
    expect(said).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*\\{"message"`));
    expect(said.includes('X-Roster-Error: HEADERS_TOO_LARGE')).toBe(status === '431');
  });
});

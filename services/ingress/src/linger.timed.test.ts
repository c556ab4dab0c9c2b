/** The bounds of draining. By bare sockets: requests are left unfinished, and bytes are counted. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openServer } from '@roster/testkit';
import request from 'supertest';
import { writeAnswer } from './answer.ts';
import { createLinger, type Linger, lingerBounds } from './linger.ts';

const megabyte = 1024 * 1024;
const refusal = { status: 413, body: '{"message":"Request Entity Too Large"}' };

let server: Awaited<ReturnType<typeof openServer>>;
let linger: Linger;
let accepted: Socket[];
const callers: Socket[] = [];

/** A server that refuses every POST by its headers, and answers every GET. */
const open = async (bounds: Partial<typeof lingerBounds> = {}): Promise<void> => {
  linger = createLinger({ ...lingerBounds, ...bounds });
  accepted = [];
  server = await openServer(({ socket, method }, response) => {
    accepted.push(socket);
    const answer = method === 'GET' ? { status: 200, body: '{}' } : refusal;
    writeAnswer(response, { id: 'r1', closing: false, linger }, answer);
  });
};

afterEach(() => {
  for (const caller of callers.splice(0)) caller.destroy();
  return server.close();
});

const call = async (length: number): Promise<Socket> => {
  const caller = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', allowHalfOpen: true });
  callers.push(caller);
  caller.on('error', () => {});
  await once(caller, 'connect');
  caller.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
  return caller;
};

/** Sends until everything is sent or the line is cut; gives the bytes that the server took. */
const pour = async (caller: Socket, bytes: number): Promise<void> => {
  const piece = Buffer.alloc(megabyte);
  for (let sent = 0; sent < bytes && !caller.destroyed; sent += piece.length) {
    if (!caller.write(piece))
      await Promise.race([once(caller, 'drain'), once(caller, 'close')]).catch(() => {});
  }
};

const closed = (socket: Socket): Promise<unknown> =>
  socket.destroyed ? Promise.resolve() : once(socket, 'close');

const refusedSocket = async (): Promise<Socket> => {
  while (linger.size() === 0) await sleep(5);
  return accepted[accepted.length - 1] as Socket;
};

describe('draining after an early answer', () => {
  it('cuts off a caller who sends 200 MB', async () => {
    await open();
    const caller = await call(200 * megabyte);
    const socket = await refusedSocket();
    await Promise.all([pour(caller, 200 * megabyte), closed(socket)]);
    expect(socket.bytesRead).toBeGreaterThan(lingerBounds.bytes);
    expect(socket.bytesRead).toBeLessThan(lingerBounds.bytes + megabyte);
    expect(linger.size()).toBe(0);
  });

  it('cuts off a caller who says nothing more', async () => {
    await open({ silenceMs: 200 });
    await call(10 * megabyte);
    const socket = await refusedSocket();
    await closed(socket);
    expect(socket.bytesRead).toBeLessThan(megabyte);
  });

  it('cuts off a caller who goes on slowly for too long', async () => {
    await open({ baseMs: 300, slowest: 1000 * megabyte });
    const caller = await call(10 * megabyte);
    const socket = await refusedSocket();
    const drip = setInterval(() => caller.write('x'), 20);
    await closed(socket);
    clearInterval(drip);
    expect(linger.size()).toBe(0);
  });

  it('cuts off the oldest when there are too many', async () => {
    await open({ connections: 3 });
    for (let i = 0; i < 5; i++) await call(10 * megabyte);
    while (accepted.length < 5) await sleep(5);
    await sleep(50);
    expect(accepted.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false, false]);
    expect(linger.size()).toBe(3);
  });

  it('reads no more than its rate from all of them together', async () => {
    await open({ rate: 20 * megabyte });
    const senders = await Promise.all(Array.from({ length: 8 }, () => call(10 * megabyte)));
    const began = performance.now();
    const pouring = senders.map((caller) => pour(caller, 10 * megabyte));
    await sleep(1000);
    const taken = accepted.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    const seconds = (performance.now() - began) / 1000;
    // A tick more at the start, and what each was reading when the allowance ran out.
    expect(taken).toBeLessThan((seconds + 0.1) * 20 * megabyte + 8 * 128 * 1024);
    linger.cut();
    await Promise.all(pouring);
  });

  it('is over when the caller has closed', async () => {
    await open();
    const caller = await call(megabyte);
    const socket = await refusedSocket();
    caller.end(Buffer.alloc(megabyte));
    await closed(socket);
    expect(socket.bytesRead).toBeGreaterThan(megabyte);
    expect(linger.size()).toBe(0);
  });

  it('takes as much from a thousand callers without keeping others waiting or memory growing', async () => {
    await open();
    const before = process.memoryUsage();
    const many = await Promise.all(Array.from({ length: 1000 }, () => call(10 * megabyte)));
    while (linger.size() < 1000) await sleep(5);
    const piece = Buffer.alloc(256 * 1024);
    for (const caller of many) caller.write(piece);
    await request(server.url).get('/').expect(200);
    while (accepted.some((socket) => socket.bytesRead < piece.length && !socket.destroyed)) await sleep(20);
    const after = process.memoryUsage();
    // Of 250 MB that came nothing is kept; the rest is what a thousand sockets cost on both sides of this test.
    expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(120 * megabyte);
  }, 90_000);

  it.each([
    ['in one piece', Buffer.alloc(megabyte, ' ')],
    ['in chunks of one byte', Buffer.from('1\r\n \r\n'.repeat(megabyte / 6))],
  ])('costs less than 40 ns a byte: 10 MB %s', async (_, piece) => {
    await open();
    const caller = await call(10 * megabyte);
    await refusedSocket();
    const before = process.cpuUsage();
    for (let i = 0; i < 10; i++) if (!caller.write(piece)) await once(caller, 'drain');
    caller.end();
    while (linger.size() > 0) await sleep(2);
    const { user, system } = process.cpuUsage(before);
    // Sender and receiver together: both are this process.
    expect(((user + system) * 1000) / (10 * piece.length)).toBeLessThan(40);
  });
});

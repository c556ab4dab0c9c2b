/** Long answers. By bare sockets: the caller does not read, or reads slowly. */

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { inLongRuns, until, usePeer } from '@roster/testkit';
import { writeAnswer } from './answer.ts';

const patienceMs = 300;
const piece = Buffer.alloc(256 * 1024, 'x');

const peer = usePeer();
let socket: Socket;
let response: ServerResponse;

const asked = { id: 'r1', closing: false };
const long = (count: number) => ({ status: 201, body: '', rest: Array.from({ length: count }, () => piece) });

/** Asks, and reads nothing yet. */
const ask = async (count: number, ms = patienceMs): Promise<void> => {
  const answered = new Promise<ServerResponse>((resolve) => {
    peer.answer = (_, one) => {
      writeAnswer(one, asked, long(count), ms);
      resolve(one);
    };
  });
  socket = connect(Number(new URL(peer.url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  response = await answered;
};

afterEach(() => socket.destroy());

it('a caller who does not read is cut off', async () => {
  await ask(100);
  await once(response, 'close');
  expect([response.destroyed, response.writableFinished]).toEqual([true, false]);
});

it('a caller who reads slowly gets all of it', async () => {
  const count = 60;
  await ask(count, 120_000);
  let length = 0;
  socket.on('data', (chunk) => {
    length += chunk.length;
    socket.pause();
    setTimeout(() => socket.resume(), 5);
  });
  socket.resume();
  await once(response, 'finish');
  await until(() => length >= count * piece.length);
  expect(response.writableFinished).toBe(true);
  expect(length).toBeGreaterThanOrEqual(count * piece.length);
});

it('a caller who has gone is not waited for', async () => {
  await ask(100, 120_000);
  const began = performance.now();
  socket.destroy();
  await once(response, 'close');
  inLongRuns(() => expect(performance.now() - began).toBeLessThan(10_000));
});

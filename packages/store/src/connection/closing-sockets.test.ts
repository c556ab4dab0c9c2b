import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import os from 'node:os';
import tls from 'node:tls';
import { type TestServer, testMongo } from '@roster/testkit';
import mongoose from 'mongoose';
import { classify } from './classify.ts';
import { wakeWritersOfClosedSockets } from './closing-sockets.ts';
import { openStore, type Store } from './open-store.ts';

const sockets: Socket[] = [];
const note = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket);

let server: TestServer;
let bare: mongoose.mongo.MongoClient;
let store: Store;

beforeAll(async () => {
  server = await testMongo();
  subscribe('net.client.socket', note);
  bare = await mongoose.mongo.MongoClient.connect(server.url, { runtimeAdapters: { os } });
});
afterAll(async () => {
  unsubscribe('net.client.socket', note);
  await store.close();
  await bare.close();
  await server.close();
});

/** The server has closed its side: the socket is destroyed, and its `close` has not come yet. */
const closeAtNextWrite = (socket: Socket, reset?: Error): void => {
  const { write } = socket;
  const closing = (...args: Parameters<Socket['write']>): boolean => {
    socket.destroy(reset);
    socket.write = write;
    return socket.write(...args);
  };
  socket.write = closing as Socket['write'];
};

const someone = { _id: 'demo:e:ada' as never };

/** The first time the connection is made. */
const askTwice = async (ask: () => Promise<unknown>, patienceMs: number, reset?: Error): Promise<unknown> => {
  await ask();
  for (const socket of sockets.splice(0)) closeAtNextWrite(socket, reset);
  const late = new Promise((resolve) => setTimeout(resolve, patienceMs, 'never').unref());
  return Promise.race([ask().catch((error: unknown) => error), late]);
};

// First, before a store is open in this process.
it('an operation of the bare driver never ends when its connection closes just when it is written', async () => {
  const people = bare.db().collection('identities');
  const session = bare.startSession();
  expect(await askTwice(() => people.findOne(someone, { session }), 3_000)).toBe('never');
});

it('an operation of a store ends then with an error that passes', async () => {
  store = await openStore({ url: server.url, appName: 'closing-test', ensureIndexes: true });
  const ask = () => store.transact((session) => store.identities.findOne(someone, { session }));
  expect(classify(await askTwice(ask, 60_000))).toBe('passing');
});

// The driver passes on what the socket says, as it is.
it.each(['ECONNRESET', 'EPIPE'])(
  'so does one whose connection is reset just when it is written: %s',
  async (code) => {
    const reset = Object.assign(new Error(`write ${code}`), { code });
    const ask = () => store.transact((session) => store.identities.findOne(someone, { session }));
    expect(classify(await askTwice(ask, 60_000, reset))).toBe('passing');
  },
);

it('a writer of a socket with TLS is woken, too', async () => {
  const { hostname, port } = new URL(server.url);
  const socket = tls.connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {});
  socket.destroy();
  expect(socket.write('late')).toBe(false);
  await once(socket, 'drain');
});

it('many stores in a process give each socket one listener, for as long as one of them is open', () => {
  const closes = (): number => {
    const socket = new EventEmitter();
    channel('net.client.socket').publish({ socket });
    return socket.listenerCount('close');
  };
  // One is open already.
  const ends = Array.from({ length: 20 }, wakeWritersOfClosedSockets);
  expect(closes()).toBe(1);
  for (const end of ends) end();
  expect(closes()).toBe(1);
});

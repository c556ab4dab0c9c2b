/** Transactions that are left open: by a process whose connections are gone, and by one that is only slow. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import os from 'node:os';
import { type TestServer, testMongo } from '@roster/testkit';
import mongoose from 'mongoose';
import { isConflict } from './classify.ts';
import { openStore, type Store } from './open-store.ts';

const { MongoClient } = mongoose.mongo;
type Client = InstanceType<typeof MongoClient>;

let server: TestServer;
let store: Store;
let other: Client;
let sockets: Socket[] = [];
const note = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket);

const connect = (appName: string): Promise<Client> =>
  MongoClient.connect(server.url, { appName, runtimeAdapters: { os } });

beforeAll(async () => {
  server = await testMongo();
  store = await openStore({ url: server.url, appName: 'roster-track', ensureIndexes: true });
});
afterAll(async () => {
  await store.close();
  await server.close();
});

/** Who has written last. */
const probesOf = (db: mongoose.mongo.Db) => db.collection<{ _id: string; at: Date }>('probes');
const [before, theirs, mine] = [new Date(0), new Date(1), new Date(2)];
const _id = 'write';

/** As another process does that is in the middle of its work. */
const leaveOpen = async (appName: string): Promise<void> => {
  sockets = [];
  subscribe('net.client.socket', note);
  other = await connect(appName);
  await probesOf(other.db()).updateOne({ _id }, { $set: { at: before } }, { upsert: true });
  const session = other.startSession();
  session.startTransaction();
  await probesOf(other.db()).updateOne({ _id }, { $set: { at: theirs } }, { session });
  unsubscribe('net.client.socket', note);
};

/** What a kill does: the kernel closes all connections. */
const kill = (): void => {
  for (const socket of sockets) socket.destroy();
};

const write = async (patienceMs: number) => {
  let conflicts = 0;
  const work = (session: mongoose.mongo.ClientSession) =>
    probesOf(store.db).updateOne({ _id }, { $set: { at: mine } }, { session });
  const error = await store.transact(work, { patienceMs, onConflict: () => conflicts++ }).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { error, conflicts, at: (await probesOf(store.db).findOne({ _id }))?.at };
};

it('one of a process that was killed is ended by the first who stays in conflict with it', async () => {
  await leaveOpen('roster-identity');
  kill();
  const { error, conflicts, at } = await write(60_000);
  expect([error, at]).toEqual([undefined, mine]);
  expect(conflicts).toBeGreaterThanOrEqual(3);
  expect(conflicts).toBeLessThan(20);
  await other.close();
});

it.each([
  ['of a process that is slow', 'roster-identity', () => {}],
  ['of a program that is not ours', 'reports', kill],
])('one %s is left to it', async (_, appName, end) => {
  await leaveOpen(appName);
  end();
  const { error, at } = await write(2_000);
  expect(isConflict(error)).toBe(true);
  expect(at).toEqual(before);
  await other.close();
});

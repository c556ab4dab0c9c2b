import { connect, createServer, type Server, type Socket } from 'node:net';
import { type TestServer, testMongo } from '@roster/testkit';
import { classify } from './classify.ts';
import { openStore, type Store } from './open-store.ts';

jest.setTimeout(30_000);

/** A line to MongoDB that can be cut. */
const openLine = async (to: URL) => {
  const sockets = new Set<Socket>();
  const listener = createServer((near) => {
    const far = connect(Number(to.port), to.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  const listen = (port: number): Promise<Server> =>
    new Promise((resolve) => listener.listen(port, '127.0.0.1', () => resolve(listener)));
  await listen(0);
  const address = listener.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    port,
    cut(): void {
      listener.close();
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    mend: () => listen(port),
  };
};

let server: TestServer;
let line: Awaited<ReturnType<typeof openLine>>;
let store: Store;

beforeAll(async () => {
  server = await testMongo();
  const real = new URL(server.url);
  line = await openLine(real);
  const url = `mongodb://127.0.0.1:${line.port}${real.pathname}?directConnection=true`;
  store = await openStore({ url, appName: 'healing-test', selectionTimeoutMs: 300, ensureIndexes: true });
});
afterAll(async () => {
  await store.close();
  line.cut();
  await server.close();
});

const claim = (_id: string): Promise<unknown> =>
  store.transact((session) => store.identities.insertOne({ _id, profile: 'p', at: 1 }, { session }));

it('says within its time that MongoDB is away, as an error that passes, and heals by itself when it is back', async () => {
  await claim('demo:e:before');
  line.cut();
  for (const id of ['demo:e:away-1', 'demo:e:away-2']) {
    const began = performance.now();
    const error = await claim(id).catch((caught: unknown) => caught);
    expect(classify(error)).toBe('passing');
    expect(performance.now() - began).toBeLessThan(3000);
  }
  expect(await store.ping()).toBe(false);
  await line.mend();
  await claim('demo:e:after');
  expect(await store.ping()).toBe(true);
  expect(await store.identities.countDocuments()).toBe(2);
});

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore, type Store } from '@roster/store';
import { patient, serviceId, type TestServer, testMongo } from '@roster/testkit';
import { run } from './test-io.ts';

const people = Array.from({ length: 40 }, (_, n) => serviceId(`p${n}`));
const [first = ''] = people;

let server: TestServer;
let store: Store;

const open = () => openStore({ url: server.url, appName: 'test', ...patient, ensureIndexes: true });

const db = () => {
  const found = store.models.generations?.db;
  if (!found) throw new Error('there is no connection');
  return found;
};

/** As the version before has stored them. */
const storeEarlier = async (count: number): Promise<void> => {
  const rows = Array.from({ length: count }, (_, n) => ({
    _id: `r${Math.floor(n / 50)}:${n % 50}` as never,
    ws: 'shop',
    profile: people[n % people.length],
    time: new Date(1_000 * n),
    at: 1_790_000_000_000_000 + Math.floor(n / 50),
    name: 'seen',
    properties: `{"n":${n}}`,
  }));
  await db().collection('events').insertMany(rows);
};

beforeEach(async () => {
  server = await testMongo();
  store = await open();
});
afterEach(async () => {
  await store.close();
  await server.close();
});

const env = () => ({ MONGO_URL: server.url, REDIS_URL: 'redis://127.0.0.1:1' });
const roster = (...args: string[]) => run(['migrate', ...args], { env: env() });

const left = () => db().collection('events').countDocuments();

it('says how many rows wait, migrates them, and has nothing to do then', async () => {
  await storeEarlier(1_500);
  expect(await roster('--dry-run')).toMatchObject({
    code: 0,
    out: '1,500 events and 0 purchases wait for their migration\n',
  });
  expect(await left()).toBe(1_500);
  expect(await roster('--share', '100')).toMatchObject({
    code: 0,
    out: '1,500 events and 0 purchases migrated; none is left\n',
  });
  expect(await left()).toBe(0);
  expect(await store.events.count(people)).toBe(1_500);
  expect(JSON.parse((await roster('--json')).out)).toEqual({ migrated: { events: 0, purchases: 0 } });
});

describe('a migration that is killed', () => {
  const rows = 12_000;
  const root = join(__dirname, '../../..');
  const main = join(root, 'packages/cli/dist/main.js');
  beforeAll(() => {
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [compiler, '-b', 'packages/cli'], { cwd: root });
  });
  const start = (): ChildProcess =>
    spawn(process.execPath, [main, 'migrate', '--share', '30'], {
      env: { ...process.env, ...env() },
      stdio: 'ignore',
    });

  /** As soon as it has moved some rows. */
  const killInTheMiddle = async (): Promise<void> => {
    const before = await left();
    const child = start();
    while ((await left()) === before) await sleep(5);
    await sleep(Math.random() * 50);
    child.kill('SIGKILL');
    await once(child, 'exit');
  };

  const numbers = async (): Promise<number[]> => {
    const all: number[] = [];
    await store.snapshot({ maxTimeMS: 60_000 }, async (moment) => {
      for await (const { properties = '{}' } of store.events.of(people, moment))
        all.push(JSON.parse(properties).n);
    });
    return all.toSorted((a, b) => a - b);
  };

  it('continues, and every row is there once', async () => {
    await storeEarlier(rows);
    await store.close();
    store = await open();
    const whole = Array.from({ length: rows }, (_, n) => n);
    for (let kill = 0; kill < 3; kill++) {
      await killInTheMiddle();
      expect(await left()).toBeGreaterThan(0);
      expect(await numbers()).toEqual(whole);
    }
    expect(await roster('--share', '100')).toMatchObject({ code: 0 });
    expect(await left()).toBe(0);
    expect(await numbers()).toEqual(whole);
    expect(await store.events.count([first])).toBe(rows / people.length);
  });
});

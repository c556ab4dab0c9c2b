import { type Line, openLine, type TestServer, testRedis } from '@roster/testkit';
import { Redis } from 'ioredis';
import { answers, type ConnectionKind, openConnection, PrimaryConnector } from './connection.ts';
import { queuesOf } from './names.ts';
import { createProducer } from './produce/producer.ts';
import { openMailbox } from './reply/mailbox.ts';
import { sendReplies } from './reply/reply.ts';
import { aSubmission, workInto } from './testbed.ts';

jest.setTimeout(60_000);

const secret = 'pepper';
const healMs = 10_000;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const until = async (condition: () => boolean | Promise<boolean>, ms = healMs): Promise<number> => {
  const began = performance.now();
  while (performance.now() - began < ms) {
    if (await condition()) return performance.now() - began;
    await sleep(20);
  }
  throw new Error(`not so within ${ms} ms`);
};

/** A connection to a server that can vanish. */
interface Site {
  line: Line;
  /** The name of the server, as the services know it. */
  url: string;
  /** The server itself, which stays. */
  server: TestServer;
  /** Past the line, for the test itself. */
  direct: Redis;
  open(kind: ConnectionKind): Promise<Redis>;
  atEnd(end: () => void): void;
}

const openSite = async (server: TestServer): Promise<Site & { close(): void }> => {
  const real = new URL(server.url);
  const line = await openLine(real);
  const url = `redis://127.0.0.1:${line.port}${real.pathname}`;
  const direct = new Redis(server.url);
  const ends = [() => line.cut(), () => direct.disconnect()];
  return {
    line,
    url,
    server,
    direct,
    async open(kind) {
      const redis = openConnection(kind, url);
      ends.unshift(() => redis.disconnect());
      await until(() => answers(redis));
      return redis;
    },
    atEnd: (end) => void ends.unshift(end),
    close() {
      for (const end of ends) end();
    },
  };
};

const isNoticed =
  (kind: ConnectionKind) =>
  async ({ open, line }: Site): Promise<void> => {
    const redis = await open(kind);
    line.vanish();
    const began = performance.now();
    expect(await answers(redis)).toBe(false);
    expect(performance.now() - began).toBeLessThan(3000);
    await until(() => answers(redis));
  };

/** Each waits for most of its time, so all are played at once. */
const scenarios: Record<string, (site: Site) => Promise<void>> = {
  'is noticed within 3 s on an idle connection of a producer, and healed within 10 s': isNoticed('producer'),
  'is noticed within 3 s on an idle connection of a subscriber, and healed within 10 s':
    isNoticed('subscriber'),
  'is noticed within 3 s on an idle patient connection, and healed within 10 s': isNoticed('patient'),

  async 'is never noticed without the limit for silence'({ url, line, atEnd }) {
    const redis = new Redis(url, { maxRetriesPerRequest: null });
    redis.on('error', () => {});
    atEnd(() => redis.disconnect());
    await until(() => answers(redis));
    line.vanish();
    await expect(until(() => answers(redis))).rejects.toThrow('not so within');
  },

  async 'does not keep a patient command: it is sent again on the next connection'({ open, line, direct }) {
    const redis = await open('patient');
    line.vanish();
    expect(await redis.set('sent', 'twice at most')).toBe('OK');
    expect(await direct.get('sent')).toBe('twice at most');
  },

  async 'gives a producer its "no" within a second, and nothing is sent again'({ open, line, direct }) {
    const redis = await open('producer');
    line.vanish();
    const began = performance.now();
    await expect(redis.incr('count')).rejects.toThrow();
    expect(performance.now() - began).toBeLessThan(1500);
    await until(() => answers(redis));
    expect(await direct.get('count')).toBeNull();
  },

  async 'does not stop a mailbox: replies come again within 10 s'({ url, line, direct, atEnd }) {
    const mailbox = openMailbox(url);
    atEnd(() => void mailbox.close());
    const deliver = async (id: string, ms: number) => {
      const expected = mailbox.expect(id, ms);
      await sendReplies(direct, [{ mailbox: mailbox.name, id, reply: { status: 200, body: id } }]);
      return expected.reply;
    };
    expect(await deliver('before', 5000)).toMatchObject({ body: 'before' });
    line.vanish();
    // The blocking command that the real server still holds must not take it.
    await sleep(2500);
    expect(await deliver('after', healMs - 2500)).toMatchObject({ body: 'after' });
  },

  async 'does not stop a worker: it goes on within 10 s, and applies each request once'({
    url,
    line,
    server,
  }) {
    const applied: string[] = [];
    const worker = workInto(applied, { url, queues: queuesOf('track', 2) });
    const producer = createProducer({
      url: server.url,
      secret,
      partitions: 2,
      waitReplicas: 0,
      idempotencyHours: 1,
    });
    await until(() => answers(producer.redis));
    await until(worker.answers);
    await producer.commit(aSubmission());
    await until(() => applied.length === 1);
    await sleep(500);
    line.vanish();
    expect(await worker.answers()).toBe(false);
    for (let n = 0; n < 20; n++) await producer.commit(aSubmission());
    await until(() => applied.length === 21);
    await until(worker.answers);
    expect(new Set(applied).size).toBe(21);
    await worker.close();
    await producer.close();
  },
};

describe('a Redis that vanishes without a word', () => {
  let server: TestServer;
  const ended = new Map<string, Promise<unknown>>();

  const play = async (scenario: (site: Site) => Promise<void>): Promise<void> => {
    const site = await openSite(server);
    await scenario(site).finally(site.close);
  };

  beforeAll(async () => {
    server = await testRedis();
    for (const [title, scenario] of Object.entries(scenarios))
      ended.set(
        title,
        play(scenario).catch((error: unknown) => error),
      );
  });
  afterAll(async () => {
    await Promise.all(ended.values());
    await server.close();
  });

  it.each(Object.keys(scenarios))('%s', async (title) => {
    const error = await ended.get(title);
    if (error) throw error;
  });
});

describe('a connection', () => {
  it.each([
    [{ role: 'master' }, true],
    [{ role: 'slave' }, false],
    // Who may not ask for INFO can't tell.
    [{}, true],
  ])('to a server that says %j of itself is ready: %s', (info, ready) => {
    expect(new PrimaryConnector({}).check(info)).toBe(ready);
  });
});

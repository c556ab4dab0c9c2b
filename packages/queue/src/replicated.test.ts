/** Against a real Redis, and a replica that comes late. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Server, startRedis } from '@roster/testkit';
import { Redis } from 'ioredis';
import { queuesOf } from './names.ts';
import { createProducer } from './producer.ts';
import { type BatchWorker, createBatchWorker } from './worker.ts';

const queues = queuesOf('subscription', 1);

describe('a job', () => {
  let dir: string;
  let primary: Server;
  let replica: Server;
  const workers: BatchWorker[] = [];

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'roster-replicated-'));
    const start = (name: string) => startRedis({ dir: join(dir, name) });
    [primary, replica] = await Promise.all([start('primary'), start('replica')]);
  });
  afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.close())));
  afterAll(async () => {
    // Asked to stop, a primary waits for its replica.
    for (const server of [replica, primary]) {
      server.process.child.kill('SIGKILL');
      await server.process.exited;
    }
    await rm(dir, { recursive: true, force: true });
  });

  /** Gives how often something was applied up to now. */
  const work = (waitReplicas: number): (() => number) => {
    let applied = 0;
    workers.push(
      createBatchWorker({
        url: primary.url,
        queues,
        waitReplicas,
        limits: { requests: 10, entries: 10, bytes: 10_000 },
        classify: () => 'passing',
        dead: async () => ({ status: 500, body: '{}' }),
        async apply(requests) {
          applied += requests.length;
          return requests.map(() => ({ status: 201, body: '{}' }));
        },
      }),
    );
    return () => applied;
  };

  const send = async (): Promise<void> => {
    const options = {
      url: primary.url,
      secret: 'pepper',
      partitions: 1,
      waitReplicas: 0,
      idempotencyHours: 1,
    };
    const producer = createProducer(options);
    while (producer.redis.status !== 'ready') await sleep(10);
    await producer.commit({
      ws: 'w',
      op: 'subscription.status.set',
      family: 'subscription',
      content: {},
      body: Buffer.from('{}'),
      entries: 1,
      waitMs: 0,
    });
    await producer.close();
  };

  const until = async (isSo: () => boolean): Promise<void> => {
    for (let tries = 0; tries < 200 && !isSo(); tries += 1) await sleep(50);
  };

  it('is applied without a replica when none is asked for', async () => {
    const applied = work(0);
    await send();
    await until(() => applied() === 1);
    expect(applied()).toBe(1);
  });

  it('waits until a replica has it when one is asked for', async () => {
    const applied = work(1);
    await send();
    await sleep(1_500);
    expect(applied()).toBe(0);
    const redis = new Redis(replica.url);
    await redis.replicaof('127.0.0.1', primary.port);
    await until(() => applied() === 1);
    expect(applied()).toBe(1);
    redis.disconnect();
  });
});

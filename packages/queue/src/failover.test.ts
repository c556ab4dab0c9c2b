/** Real Redis servers, and the Sentinels that decide which of them is the primary. */
import { type Member, openSentinels, redisRights, until, useFolder } from '@roster/testkit';
import { answers, openConnection } from './connection.ts';
import { queueKey, queuesOf } from './names.ts';
import { createProducer, type Producer } from './produce/producer.ts';
import { aSubmission, workInto } from './testbed.ts';
import type { BatchWorker } from './work/worker.ts';

// Sentinels decide by their own clocks.
jest.setTimeout(240_000);

const inFolder = useFolder();

const openSite = async () => {
  const rights = redisRights();
  const site = await openSentinels({
    dir: inFolder('site'),
    also: {
      members: [`user roster on >redis ${rights.redis}`],
      sentinels: [`user roster on >sentinels ${rights.sentinels}`],
    },
  });
  const url = site.url.replace('//', '//roster:redis@');
  return { ...site, url: `${url}?sentinelUsername=roster&sentinelPassword=sentinels` };
};

const info = ({ ask }: Member): Promise<string> => ask((redis) => redis.info('commandstats'));

const queues = queuesOf('track', 2);

describe('a Redis with Sentinels', () => {
  let site: Awaited<ReturnType<typeof openSite>>;
  let producer: Producer;
  let worker: BatchWorker;
  const applied: string[] = [];

  beforeAll(async () => {
    site = await openSite();
    producer = createProducer({
      url: site.url,
      secret: 'pepper',
      partitions: 2,
      waitReplicas: 1,
      idempotencyHours: 1,
    });
    worker = workInto(applied, { url: site.url, queues, waitReplicas: 1 });
    await until(() => answers(producer.redis));
    await until(worker.answers);
  });
  afterAll(async () => {
    await worker.close();
    await producer.close();
    await site.close();
  });

  const accept = () =>
    producer.commit(aSubmission()).then(
      (one) => ('id' in one ? one.id : undefined),
      () => undefined,
    );

  /** As a caller does: again until it is accepted. Each that was accepted is applied. */
  const work = async (): Promise<void> => {
    const ids = new Set<string>();
    for (let n = 0; n < 5; n++) ids.add(await until(accept));
    await until(() => [...ids].every((id) => applied.includes(id)));
    await until(worker.answers);
  };

  it('is found by them', async () => {
    await work();
  });

  it.each([
    ['is silent', 'SIGSTOP'],
    ['is gone', 'SIGKILL'],
  ] as const)('is found when the first Sentinel %s', async (_, signal) => {
    const [first] = site.sentinels;
    if (signal === 'SIGKILL') await first?.kill();
    else first?.signal(signal);
    const other = openConnection('operator', site.url);
    await other.connect();
    expect(await answers(other)).toBe(true);
    other.disconnect();
    if (signal === 'SIGKILL') await first?.start();
    else first?.signal('SIGCONT');
  });

  it('has a request that no replica has: it is refused, and has no effect before one has it', async () => {
    const primary = await site.primary();
    const replicas = site.members.filter((member) => member !== primary);
    const before = applied.length;
    for (const replica of replicas) replica.signal('SIGSTOP');
    await expect(producer.commit(aSubmission())).rejects.toThrow();
    const atWork = async () => {
      const found = await Promise.all(queues.map((queue) => producer.redis.llen(queueKey(queue, 'active'))));
      return found.some((jobs) => jobs > 0);
    };
    await until(atWork);
    // The worker asks in its turn.
    const asked = async () => Number(/cmdstat_wait:calls=(\d+)/.exec(await info(primary))?.[1] ?? 0);
    const already = await asked();
    await until(async () => (await asked()) > already + 1);
    expect(applied).toHaveLength(before);
    for (const replica of replicas) replica.signal('SIGCONT');
    await until(() => applied.length === before + 1);
  });

  it('is handed over with all connections open: no job fails', async () => {
    let over = false;
    const accepted = new Set<string>();
    const load = async (): Promise<void> => {
      while (!over) accepted.add(await until(accept));
    };
    const loading = Promise.all([load(), load(), load(), load()]);
    await until(() => accepted.size > 100);
    await site.handOver();
    const before = accepted.size;
    await until(() => accepted.size > before + 100);
    over = true;
    await loading;
    await until(() => [...accepted].every((id) => applied.includes(id)));
    const all = queues.flatMap((queue) => ['wait', 'active', 'failed'].map((part) => queueKey(queue, part)));
    await until(async () => (await producer.redis.exists(...all)) === 0);
  });

  it('is killed, and work goes on at the member that takes its place', async () => {
    const before = await site.primary();
    await before.kill();
    await work();
    expect(await site.primary()).not.toBe(before);
  });
});

it('an operator is told when no Sentinel can be reached', async () => {
  const redis = openConnection('operator', 'redis+sentinel://127.0.0.1:1,127.0.0.1:2/roster');
  await expect(redis.connect()).rejects.toThrow(/All sentinels are unreachable/);
  redis.disconnect();
});

import { createDeadLetters, createProducer, type Producer } from '@roster/queue';
import { createLog, createMetrics, type Running } from '@roster/runtime';
import { until, useServers } from '@roster/testkit';
import { createApply } from './apply.ts';
import type { BatchContext } from './parts.ts';
import { type Own, startBatchService } from './service.ts';
import { type NamesWork, namesWork } from './testbed.ts';

const secret = 'a secret of this test';
let producer: Producer;
let metrics: ReturnType<typeof createMetrics>;

const servers = useServers(async ({ redisUrl: url }) => {
  producer = createProducer({ url, secret, partitions: 1, waitReplicas: 0, idempotencyHours: 1 });
  await until(() => producer.redis.status === 'ready');
  return () => producer.close();
});

/** A worker that is a rule, a load and a write, and what it adds to that. */
const started = (more: Partial<Own> = {}, changed: Partial<NamesWork> = {}): Promise<Running> => {
  metrics = createMetrics({ service: 'names' });
  const config = {
    REDIS_URL: servers.redisUrl,
    MONGO_URL: servers.mongoUrl,
    ROSTER_SECRET: secret,
    TRACK_PARTITIONS: 1,
  };
  const log = createLog({ service: 'names', level: 'silent' });
  const context = { config, log, metrics, processor: { service: 'names', hear() {} } };
  return startBatchService(
    {
      name: 'subscription',
      limits: { requests: 20, entries: 100, bytes: 100_000 },
      own: (_parts, road) => ({
        apply: createApply(road, async () => ({ ...namesWork(road.store), ...changed })),
        resultOf: (_request, { entries }) => entries,
        ...more,
      }),
    },
    context as unknown as BatchContext,
    {},
  );
};

const send = async (...names: string[]) => {
  const commit = await producer.commit({
    ws: 'demo',
    op: 'subscription.status.set',
    family: 'subscription',
    content: {},
    body: Buffer.from(JSON.stringify(names)),
    entries: names.length,
    waitMs: 10_000,
  });
  if (commit.state !== 'queued') throw new Error(commit.state);
  const reply = await commit.reply;
  return { id: commit.id, reply: reply && { status: reply.status, body: JSON.parse(reply.body) } };
};

/** Of a request that can't be applied. */
const poison = (name: string): Partial<NamesWork> => ({
  plan(requests, known) {
    if (requests.some(({ names }) => names.includes(name)))
      throw Object.assign(new Error('wrong type'), { code: 14, codeName: 'TypeMismatch' });
    return namesWork(servers.store).plan(requests, known);
  },
});

it('a worker with nothing of its own but a rule, a load and a write answers, is ready and stops', async () => {
  const service = await started();
  try {
    expect((await send('ada', 'ada')).reply).toEqual({
      status: 201,
      body: { external_ids: ['created', 'ignored:known'] },
    });
    expect(await service.ready?.()).toBe(true);
    expect(await metrics.text()).toMatch(/roster_subscription_turn_seconds_count\S* 1/);
  } finally {
    await service.stop();
  }
});

it('what it adds is asked at its time: beside the queue, after a turn, after the transaction and after a dead letter', async () => {
  const seen: string[] = [];
  const service = await started(
    {
      async applied(requests) {
        seen.push(`applied ${requests.length}`);
        expect(await servers.store.identities.countDocuments({ _id: 'demo:e:bob' })).toBe(1);
      },
      async failed({ id }) {
        seen.push('failed');
        expect((await servers.store.outcomes.read('demo', id))?.state).toBe('failed');
      },
      onTurn: (entries) => seen.push(`${entries} entries`),
      beside: [{ close: async () => void seen.push('closed') }],
    },
    poison('poison'),
  );
  try {
    await send('bob', 'eve');
    const { id, reply } = await send('poison');
    expect(reply?.status).toBe(500);
    const letters = createDeadLetters(servers.redis);
    expect((await letters.list()).map((letter) => letter.id)).toEqual([id]);
    await letters.close();
  } finally {
    await service.stop();
  }
  expect(seen).toEqual(['applied 1', '2 entries', 'failed', '1 entries', 'closed']);
});

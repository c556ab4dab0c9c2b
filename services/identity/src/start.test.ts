import type { OperationId, QueueFamily } from '@roster/contract';
import { createBatchWorker, createProducer, type Producer, queuesOf } from '@roster/queue';
import { type Context, createLog, createMetrics, type Running } from '@roster/runtime';
import { classify } from '@roster/store';
import { inLongRuns, until, useServers } from '@roster/testkit';
import { type IdentityReplacements, startIdentity } from './start.ts';
import { request, storePeople, uniqueId } from './testbed.ts';
import { withoutFence } from './without-protection.ts';

const secret = 'a secret of this test';
let producer: Producer;
let metrics: ReturnType<typeof createMetrics>;

const servers = useServers(async ({ redisUrl: url }) => {
  producer = createProducer({ url, secret, partitions: 2, waitReplicas: 0, idempotencyHours: 1 });
  await until(() => producer.redis.status === 'ready');
  return () => producer.close();
});

const started = (replacements: IdentityReplacements = {}): Promise<Running> => {
  metrics = createMetrics({ service: 'identity' });
  const config = {
    LOG_LEVEL: 'silent',
    HOST: '127.0.0.1',
    ADMIN_PORT: 0,
    REDIS_URL: servers.redisUrl,
    MONGO_URL: servers.mongoUrl,
    ROSTER_SECRET: secret,
    TRACK_PARTITIONS: 2,
  } as const;
  const context = { config, log: createLog({ service: 'identity', level: 'silent' }), metrics };
  return startIdentity(context as unknown as Context<typeof config>, replacements);
};

const families: Partial<Record<OperationId, QueueFamily>> = {
  'users.track': 'track',
  'subscription.status.set': 'subscription',
};

const submit = async (op: OperationId, body: unknown, waitMs: number) => {
  const accepted = request(op, body);
  const commit = await producer.commit({
    ws: 'demo',
    op,
    family: families[op] ?? 'identity',
    content: {},
    body: Buffer.from(JSON.stringify(accepted.body)),
    entries: 1,
    waitMs,
  });
  if (commit.state !== 'queued') throw new Error(commit.state);
  return commit;
};

const answer = async (op: OperationId, body: unknown, waitMs = 10_000) => {
  const reply = await (await submit(op, body, waitMs)).reply;
  return reply && { status: reply.status, body: JSON.parse(reply.body) };
};

/** Takes all requests out of these queues, as if they had been applied. */
const drain = async (family: QueueFamily): Promise<void> => {
  let taken = () => {};
  const done = new Promise<void>((resolve) => {
    taken = resolve;
  });
  const worker = createBatchWorker({
    url: servers.redisUrl,
    queues: queuesOf(family, 2),
    limits: { requests: 10, entries: 10, bytes: 1000 },
    classify,
    dead: async () => ({ status: 500, body: '' }),
    async apply(requests) {
      taken();
      return requests.map(() => ({ status: 200, body: '{}' }));
    },
  });
  await done;
  await worker.close();
};

const newAlias = (name: string) => ({ user_aliases: [{ alias_label: 'web', alias_name: name }] });
const trackSomething = () => submit('users.track', { attributes: [{ external_id: uniqueId() }] }, 0);

describe('the identity service', () => {
  it('answers with its result, and counts it', async () => {
    const service = await started();
    try {
      const name = uniqueId();
      expect(await answer('users.alias.new', newAlias(name))).toEqual({
        status: 201,
        body: { aliases_processed: 1, message: 'success' },
      });
      const other = { user_aliases: [{ alias_label: 'web', alias_name: uniqueId() }] };
      await answer('users.alias.new', other);
      const taken = {
        alias_label: 'web',
        old_alias_name: other.user_aliases[0]?.alias_name,
        new_alias_name: name,
      };
      expect(await answer('users.alias.update', { alias_updates: [taken] })).toMatchObject({
        status: 201,
        body: { aliases_processed: 0, errors: [{ code: 'ALIAS_NAME_TAKEN' }] },
      });
      expect(await metrics.text()).toMatch(
        /roster_identity_entries_total\{operation="users.alias.update",result="refused",reason="name_taken".*\} 1/,
      );
    } finally {
      await service.stop();
    }
  });

  it('answers a caller who waits for a merge with its outcome', async () => {
    const service = await started();
    const [ada, old] = [uniqueId(), uniqueId()];
    await storePeople(servers.store, [{ external_id: ada }, { external_id: old }]);
    const sides = (away: string) => ({
      identifier_to_merge: { external_id: away },
      identifier_to_keep: { external_id: ada },
    });
    try {
      const reply = await answer('users.merge', { merge_updates: [sides(old), sides('nobody')] });
      expect(reply?.body).toMatchObject({
        state: 'applied',
        entries: { merge_updates: [{ result: 'updated' }, { result: 'ignored', reason: 'no_such_user' }] },
      });
    } finally {
      await service.stop();
    }
  });

  it('waits until every track request accepted before it is finished', async () => {
    const service = await started();
    try {
      await trackSomething();
      const name = uniqueId();
      expect(await answer('users.alias.new', newAlias(name), 1500)).toBeUndefined();
      expect(await servers.store.identities.countDocuments({ _id: `demo:a:3:web:${name}` })).toBe(0);
      await drain('track');
      await until(() => servers.store.identities.findOne({ _id: `demo:a:3:web:${name}` }));
    } finally {
      await service.stop();
    }
  });

  it('lets aliases wait for no statement of consent, and a merge for each accepted before it', async () => {
    const service = await started();
    const [ada, old] = [uniqueId(), uniqueId()];
    await storePeople(servers.store, [{ external_id: ada }, { external_id: old }]);
    const merge = { identifier_to_merge: { external_id: old }, identifier_to_keep: { external_id: ada } };
    try {
      const statement = {
        subscription_group_id: 'news',
        subscription_state: 'subscribed',
        external_id: [ada],
      };
      await submit('subscription.status.set', statement, 0);
      let isMerged = false;
      const merging = answer('users.merge', { merge_updates: [merge] }, 60_000).then(() => {
        isMerged = true;
      });
      expect(await answer('users.alias.new', newAlias(uniqueId()))).toMatchObject({ status: 201 });
      expect(isMerged).toBe(false);
      await drain('subscription');
      await merging;
    } finally {
      await service.stop();
    }
  });

  it('stops at once while it waits; the next process applies the returned requests', async () => {
    await trackSomething();
    const waiting = await started();
    const name = uniqueId();
    await submit('users.alias.new', newAlias(name), 0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const since = performance.now();
    await waiting.stop();
    inLongRuns(() => expect(performance.now() - since).toBeLessThan(5000));
    const next = await started({ fence: withoutFence });
    try {
      expect(await answer('users.alias.new', newAlias(uniqueId()))).toMatchObject({ status: 201 });
      expect(await servers.store.identities.countDocuments({ _id: `demo:a:3:web:${name}` })).toBe(1);
    } finally {
      await next.stop();
      await drain('track');
    }
  });
});

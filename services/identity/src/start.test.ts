import type { OperationId, QueueFamily } from '@roster/contract';
import { createBatchWorker, createProducer, type Producer, queuesOf } from '@roster/queue';
import type { Metrics, Running } from '@roster/runtime';
import { classify } from '@roster/store';
import { contextOf, inLongRuns, testSecret as secret, until, useServers } from '@roster/testkit';
import { type IdentityReplacements, startIdentity } from './start.ts';
import { merging, request, storePeople, uniqueId } from './testbed.ts';
import { withoutFence } from './without-protection.ts';

let producer: Producer;
let metrics: Metrics;

const servers = useServers(async ({ redisUrl: url }) => {
  producer = createProducer({ url, secret, partitions: 2, waitReplicas: 0, idempotencyHours: 1 });
  await until(() => producer.redis.status === 'ready');
  return () => producer.close();
});

const running: Running[] = [];
const started = async (replacements?: IdentityReplacements): Promise<void> => {
  const context = await contextOf('identity', servers);
  ({ metrics } = context);
  running.push(await startIdentity(context, replacements));
};
const stopAll = () => Promise.all(running.splice(0).map((service) => service.stop()));
afterEach(stopAll);

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
    isKnown: () => true,
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
    await started();
    const name = uniqueId();
    expect(await answer('users.alias.new', newAlias(name))).toEqual({
      status: 201,
      body: { aliases_processed: 1, message: 'success' },
    });
    const other = uniqueId();
    await answer('users.alias.new', newAlias(other));
    const taken = { alias_label: 'web', old_alias_name: other, new_alias_name: name };
    expect(await answer('users.alias.update', { alias_updates: [taken] })).toMatchObject({
      status: 201,
      body: { aliases_processed: 0, errors: [{ code: 'ALIAS_NAME_TAKEN' }] },
    });
    expect(await metrics.text()).toMatch(
      /roster_identity_entries_total\{operation="users.alias.update",result="refused",reason="name_taken".*\} 1/,
    );
  });

  it('answers a caller who waits for a merge with its outcome', async () => {
    await started();
    const [ada, old] = [uniqueId(), uniqueId()];
    await storePeople(servers.store, [{ external_id: ada }, { external_id: old }]);
    const merge_updates = [merging(old, ada), merging('nobody', ada)];
    const reply = await answer('users.merge', { merge_updates });
    expect(reply?.body).toMatchObject({
      state: 'applied',
      entries: { merge_updates: [{ result: 'updated' }, { result: 'ignored', reason: 'no_such_user' }] },
    });
  });

  it('waits until every track request accepted before it is finished', async () => {
    await started();
    await trackSomething();
    const name = uniqueId();
    expect(await answer('users.alias.new', newAlias(name), 1500)).toBeUndefined();
    expect(await servers.store.identities.countDocuments({ _id: `demo:a:3:web:${name}` })).toBe(0);
    await drain('track');
    await until(() => servers.store.identities.findOne({ _id: `demo:a:3:web:${name}` }));
  });

  it('lets aliases wait for no statement of consent, and a merge for each accepted before it', async () => {
    await started();
    const [ada, old] = [uniqueId(), uniqueId()];
    await storePeople(servers.store, [{ external_id: ada }, { external_id: old }]);
    const state = { subscription_group_id: 'news', subscription_state: 'subscribed' };
    await submit('subscription.status.set', { ...state, external_id: [ada] }, 0);
    let isMerged = false;
    const merged = answer('users.merge', { merge_updates: [merging(old, ada)] }, 60_000).then(() => {
      isMerged = true;
    });
    expect(await answer('users.alias.new', newAlias(uniqueId()))).toMatchObject({ status: 201 });
    expect(isMerged).toBe(false);
    await drain('subscription');
    await merged;
  });

  it('stops at once while it waits; the next process applies the returned requests', async () => {
    await trackSomething();
    await started();
    const name = uniqueId();
    await submit('users.alias.new', newAlias(name), 0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const since = performance.now();
    await stopAll();
    inLongRuns(() => expect(performance.now() - since).toBeLessThan(5000));
    await started({ fence: withoutFence });
    expect(await answer('users.alias.new', newAlias(uniqueId()))).toMatchObject({ status: 201 });
    expect(await servers.store.identities.countDocuments({ _id: `demo:a:3:web:${name}` })).toBe(1);
  });
});

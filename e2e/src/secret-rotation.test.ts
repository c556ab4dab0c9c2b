/** A fleet walks through the steps of a rotation of ROSTER_SECRET, one process after another; what was made before goes on (docs/adr/secret.md). */
import { createKey, publishKey, publishWorkspace } from '@roster/access';
import { startExport } from '@roster/export-service';
import { startIdentity } from '@roster/identity-service';
import { startIngress } from '@roster/ingress-service';
import { startMessaging, startPages } from '@roster/messaging-service';
import { createProducer, takeStamps } from '@roster/queue';
import type { Running } from '@roster/runtime';
import { openStore, type Store } from '@roster/store';
import { startSubscription } from '@roster/subscription-service';
import { contextIn, testMongo, testRedis, until, variablesOf } from '@roster/testkit';
import { startTrack } from '@roster/track-service';
import { Redis } from 'ioredis';
import request from 'supertest';
import { insistently, settingsOf, waiting } from './system.ts';

jest.setTimeout(300_000);

const [former, next] = ['the secret of before', 'the secret that comes'];
const [far, past] = ['9999-01-01', '2020-01-01'];

const steps = {
  before: { ROSTER_SECRET: former },
  first: { ROSTER_SECRET: former, ROSTER_SECRET_ALSO: `${next}@${far}` },
  second: { ROSTER_SECRET: next, ROSTER_SECRET_ALSO: `${former}@${far}` },
  /** The date has passed. */
  over: { ROSTER_SECRET: next, ROSTER_SECRET_ALSO: `${former}@${past}` },
  removed: { ROSTER_SECRET: next },
} satisfies Record<string, Record<string, string>>;
type Step = keyof typeof steps;

const starts = {
  here: async (variables: Variables) => startIngress(await contextIn('ingress', variables)),
  there: async (variables: Variables) => startIngress(await contextIn('ingress', variables)),
  track: async (variables: Variables) => startTrack(await contextIn('track', variables)),
  identity: async (variables: Variables) => startIdentity(await contextIn('identity', variables)),
  subscription: async (variables: Variables) => startSubscription(await contextIn('subscription', variables)),
  export: async (variables: Variables) => startExport(await contextIn('export', variables)),
  messaging: async (variables: Variables) => startMessaging(await contextIn('messaging', variables)),
  pages: async (variables: Variables) => startPages(await contextIn('pages', variables)),
} satisfies Record<string, (variables: Variables) => Promise<Running>>;
type Variables = Record<string, string>;
type Name = keyof typeof starts;

const names = Object.keys(starts) as Name[];
/** Restarted first; the others follow. */
const half: readonly Name[] = ['here', 'track', 'pages'];
const rest = names.filter((name) => !half.includes(name));

const ws = 'demo';
const running = {} as Record<Name, Running>;
let servers: { redisUrl: string; mongoUrl: string };
let store: Store;
let redis: Redis;
let key: string;
const closing: (() => Promise<unknown>)[] = [];

const restart = async (some: readonly Name[], step: Step): Promise<void> => {
  const variables = variablesOf(servers, {
    DRAIN_SECONDS: '0',
    RESULT_TIMEOUT_SECONDS: '60',
    ...steps[step],
  });
  for (const name of some) {
    await running[name]?.stop();
    running[name] = await starts[name](variables);
  }
};

const makeKey = (pepper: string) => {
  const made = createKey({ ws, name: 'all', permissions: ['*'], pepper });
  return {
    ...made,
    publish: async () => [await store.keys.put(made.record), await publishKey(redis, made.record)],
  };
};

beforeAll(async () => {
  const [redisServer, mongoServer] = [await testRedis(), await testMongo()];
  servers = { redisUrl: redisServer.url, mongoUrl: mongoServer.url };
  store = await openStore({ url: mongoServer.url, appName: 'e2e', ensureIndexes: true });
  redis = new Redis(redisServer.url);
  closing.push(
    () => store.close(),
    async () => redis.disconnect(),
    ...[redisServer.close, mongoServer.close],
  );
  await store.workspaces.put(settingsOf(ws));
  await publishWorkspace(redis, settingsOf(ws));
  const made = makeKey(former);
  await made.publish();
  key = made.key;
  await restart(names, 'before');
});

afterAll(async () => {
  for (const one of Object.values(running)) await one.stop();
  for (const close of closing) await close();
});

type Door = 'here' | 'there';
const doors = ['here', 'there'] as const;

/** A busy machine may make a 503 of it, which asks to come again. */
const ask = async (
  door: Door,
  call: (caller: ReturnType<typeof request.agent>) => request.Test,
  withKey = key,
): Promise<request.Response> => {
  const caller = request.agent(`http://127.0.0.1:${running[door].port}`);
  caller.set('authorization', `Bearer ${withKey}`);
  return insistently(async () => call(caller));
};

const outcomeOf = (door: Door, id: string | undefined, withKey = key) =>
  ask(door, (caller) => caller.get(`/requests/${id}`), withKey);

const visit = (door: Door, external_id: string, once: string) =>
  ask(door, (caller) =>
    caller
      .post('/users/track')
      .set({ ...waiting, 'idempotency-key': once })
      .send({ attributes: [{ external_id, visits: { inc: 1 } }] }),
  );

const visitsOf = async (external_id: string): Promise<unknown> => {
  const asked = { external_ids: [external_id], fields_to_export: ['custom_attributes'] };
  const { body } = await ask('here', (caller) => caller.post('/users/export/ids').send(asked));
  return body.users?.[0]?.custom_attributes?.visits;
};

/** A person whose only visit is sent to both ingress processes, and to the first one again. */
let made = 0;
const visitBoth = async (one: Door, other: Door): Promise<void> => {
  const id = `visitor-${++made}`;
  const answers = [await visit(one, id, id), await visit(other, id, id), await visit(one, id, id)];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(1);
  expect(await visitsOf(id)).toBe(1);
};

const linkTo = async (external_id: string): Promise<string> => {
  const path = `/preference_center/v1/default/url/${external_id}`;
  const { body } = await ask('here', (caller) => caller.get(path));
  return new URL(body.preference_center_url).pathname;
};
const open = (link: string) => request(`http://127.0.0.1:${running.pages.port}`).get(link);

/** Accepted before a deletion, and queued after it: an ingress that stood still for long. */
const sendLate = async (external_id: string, stamp: number): Promise<unknown> => {
  const producer = createProducer({
    ...{ url: servers.redisUrl, secret: former, partitions: 2, waitReplicas: 0, idempotencyHours: 1 },
  });
  await until(() => producer.redis.status === 'ready');
  const [id, body] = [`r${stamp.toString(36)}-00000000`, { attributes: [{ external_id, late: true }] }];
  await producer.commitAs(
    {
      ...{ ws, op: 'users.track', family: 'track', content: {}, entries: 1, waitMs: 0 },
      body: Buffer.from(JSON.stringify(body)),
    },
    { id, at: stamp },
  );
  await until(async () => (await store.outcomes.read(ws, id)) !== undefined);
  await producer.close();
  return (await store.outcomes.read(ws, id))?.entries;
};

/** A person who is deleted, with stamps of before the deletion. */
const deleteOne = async (door: Door) => {
  const id = `gone-${++made}`;
  await visit(door, id, id);
  const first = await takeStamps(redis, 20);
  const deleting = { external_ids: [id] };
  const { status } = await ask(door, (caller) => caller.post('/users/delete').set(waiting).send(deleting));
  expect(status).toBe(201);
  const stamps = Array.from({ length: 20 }, (_, n) => first + n);
  return { id, late: () => sendLate(id, stamps.shift() ?? 0) };
};

const dropped = { attributes: ['ignored:deleted'] };

it('goes on through a rotation, and loses at its end what the documentation says', async () => {
  const first = await visit('here', 'ada', 'of ada');
  const requestId = first.headers['x-request-id'];
  const link = await linkTo('ada');
  const gone = await deleteOne('here');
  expect(await gone.late()).toEqual(dropped);

  const goesOn = async (): Promise<void> => {
    for (const door of doors) {
      const again = await visit(door, 'ada', 'of ada');
      expect([again.status, again.headers['x-request-id']]).toEqual([201, requestId]);
      expect((await outcomeOf(door, requestId)).status).toBe(200);
    }
    expect(await visitsOf('ada')).toBe(1);
    await visitBoth('here', 'there');
    await visitBoth('there', 'here');
    expect(await gone.late()).toEqual(dropped);
  };

  let newer = link;
  for (const step of ['first', 'second'] as const)
    for (const some of [half, rest]) {
      await restart(some, step);
      await goesOn();
      newer = await linkTo('ada');
      for (const one of [link, newer]) await open(one).expect(200);
      expect(await (await deleteOne('there')).late()).toEqual(dropped);
    }
  expect(newer).not.toBe(link);

  await restart(half, 'over');
  await goesOn();
  await restart(rest, 'over');
  await goesOn();
  await open(newer).expect(200);
  const expired = await open(link).expect(410);
  expect(expired.text).toContain('This link');

  // The control: without the other secret, all of that fails.
  const { publish, key: newKey } = makeKey(next);
  await publish();
  await restart(names, 'removed');
  expect((await outcomeOf('here', requestId)).status).toBe(401);
  expect((await outcomeOf('here', requestId, newKey)).status).toBe(404);
  await open(link).expect(404);
  await open(newer).expect(200);
  expect(await gone.late()).toEqual({ attributes: ['created'] });
});

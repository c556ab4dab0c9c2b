/** Ingress, track and export as they run in production, in this process, with a workspace and a key of their own. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { completeSettings, createKey, publishAll } from '@roster/access';
import { startExport } from '@roster/export-service';
import { startIdentity } from '@roster/identity-service';
import { startIngress } from '@roster/ingress-service';
import { startIntegrations } from '@roster/integrations-service';
import { startMessaging } from '@roster/messaging-service';
import { loadConfig, type Running, serviceConfigs } from '@roster/runtime';
import { openStore, type Store } from '@roster/store';
import { startSubscription } from '@roster/subscription-service';
import { assertRightsSuffice, refusedRights, testMongo, testRedis, withLeastRights } from '@roster/testkit';
import { startTrack } from '@roster/track-service';
import { Redis } from 'ioredis';
import { contextOf, secret, variablesOf } from './context.ts';

export const workspace = {
  id: 'demo',
  apps: [{ id: 'demo-app', name: 'Demo app' }],
  subscription_groups: [
    { id: 'demo-news', name: 'News', description: 'What is new, once a month', channel: 'email' },
    { id: 'demo-texts', name: 'Texts', channel: 'sms' },
  ],
  tags: ['footer'],
  integrations: {
    connections: [
      {
        id: 'warehouse',
        kind: 'postgresql',
        url: { env: 'ROSTER_CREDENTIAL_WAREHOUSE' },
        tls: 'off',
      },
    ],
  },
  track: { blocked_external_ids: ['blocked'] },
};

interface Sent {
  method?: string;
  /** `null`: none. */
  body?: unknown;
  /** Instead of `body`: these very bytes. */
  raw?: string | Buffer;
  headers?: Record<string, string>;
}

export interface Answered {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

export interface System {
  base: string;
  port: number;
  key: string;
  store: Store;
  redis: Redis;
  redisUrl: string;
  send(path: string, sent?: Sent): Promise<Answered>;
  /** Waits until it is applied. */
  track(body: unknown): Promise<Answered>;
  /** By external id, with these fields. */
  exported(externalId: string, fields: string[]): Promise<Record<string, unknown> | undefined>;
  /** What became of the entries of a request that has been applied, list by list: `updated`, `ignored:no_such_user`. */
  outcomeOf(answer: Answered): Promise<Record<string, string[]>>;
  stop(): Promise<void>;
}

interface Reported {
  entries?: Record<string, { result: string; reason?: string }[]>;
}

const publish = async (redis: Redis): Promise<string> => {
  const { key, record } = createKey({ ws: workspace.id, name: 'all', permissions: ['*'], pepper: secret });
  const generous = { requests: 1_000_000, seconds: 1 };
  const track = { 'users.track': generous, 'users.track.sync': generous, 'users.track.bulk': generous };
  const syncs = { 'cdi.integration_sync': generous, 'cdi.integration_job_status': generous };
  const settings = completeSettings({
    ...workspace,
    limits: { ...track, ...syncs, 'users.export.ids': generous },
  });
  await publishAll(redis, { keys: [record], workspaces: [settings] });
  return key;
};

/** What a test exchanges in the services; `identity`, `subscription`, `messaging` and `integrations` run where they are asked for. */
export interface Instead {
  track?: Parameters<typeof startTrack>[1];
  identity?: Parameters<typeof startIdentity>[1];
  subscription?: true;
  messaging?: true;
  integrations?: Parameters<typeof startIntegrations>[1];
}

const createSend =
  (base: string, key: string): System['send'] =>
  async (path, { method = 'POST', body, raw, headers } = {}) => {
    const bytes = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(bytes !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(bytes !== undefined && { body: bytes }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
  };

/** A 503 asks to come again, which a busy machine makes likely; the key keeps what was accepted all the same from being applied twice. */
const trackInsistently = async (send: System['send'], body: unknown): Promise<Answered> => {
  const headers = { prefer: 'wait=10', 'idempotency-key': randomUUID() };
  for (let tries = 4; ; tries--) {
    const answer = await send('/users/track', { body, headers });
    if (answer.status !== 503 || tries === 1) return answer;
    await sleep(500);
  }
};

type Asking = Pick<System, 'send' | 'track' | 'exported' | 'outcomeOf'>;

const createAsking = (base: string, key: string): Asking => {
  const send = createSend(base, key);
  return {
    send,
    track: (body) => trackInsistently(send, body),
    async exported(externalId, fields) {
      const asked = { external_ids: [externalId], fields_to_export: fields };
      const { body } = await send('/users/export/ids', { body: asked });
      return (body.users as Record<string, unknown>[] | undefined)?.[0];
    },
    async outcomeOf({ headers }) {
      const { body } = await send(`/requests/${headers.get('x-request-id')}`, { method: 'GET' });
      if (body.state !== 'applied') throw new Error(`it is not applied: ${JSON.stringify(body)}`);
      const lists = Object.entries((body as Reported).entries ?? {}).map(([list, entries]) => [
        list,
        entries.map(({ result, reason }) => (reason === undefined ? result : `${result}:${reason}`)),
      ]);
      return Object.fromEntries(lists);
    },
  };
};

const startWorkers = async (
  variables: ReturnType<typeof variablesOf>,
  { track, identity, subscription, messaging, integrations }: Instead,
): Promise<Running[]> => {
  const workers = [
    await startTrack(contextOf('track', loadConfig(serviceConfigs.track, variables)), track),
    await startExport(contextOf('export', loadConfig(serviceConfigs.export, variables))),
  ];
  if (identity) {
    const context = contextOf('identity', loadConfig(serviceConfigs.identity, variables));
    workers.push(await startIdentity(context, identity));
  }
  if (subscription) {
    const context = contextOf('subscription', loadConfig(serviceConfigs.subscription, variables));
    workers.push(await startSubscription(context));
  }
  if (messaging) {
    const context = contextOf('messaging', loadConfig(serviceConfigs.messaging, variables));
    workers.push(await startMessaging(context));
  }
  if (integrations) {
    const context = contextOf('integrations', loadConfig(serviceConfigs.integrations, variables));
    workers.push(await startIntegrations(context, integrations));
  }
  return workers;
};

export const startSystem = async (instead: Instead = {}): Promise<System> => {
  const [redisServer, mongoServer] = [await testRedis(), await testMongo()];
  const redis = new Redis(redisServer.url);
  const key = await publish(redis);
  const variables = variablesOf(await withLeastRights(redis, redisServer.url), mongoServer.url);
  const store = await openStore({ url: mongoServer.url, appName: 'e2e', ensureIndexes: true });
  await store.workspaces.put(completeSettings(workspace));
  const workers = await startWorkers(variables, instead);
  const ingress = await startIngress(contextOf('ingress', loadConfig(serviceConfigs.ingress, variables)));
  const port = ingress.port ?? 0;
  const base = `http://127.0.0.1:${port}`;
  return {
    base,
    port,
    key,
    store,
    redis,
    redisUrl: redisServer.url,
    ...createAsking(base, key),
    async stop() {
      await ingress.stop();
      await Promise.all(workers.map((worker) => worker.stop()));
      await store.close();
      const refused = await refusedRights(redis);
      redis.disconnect();
      await redisServer.close();
      await mongoServer.close();
      assertRightsSuffice(refused);
    },
  };
};

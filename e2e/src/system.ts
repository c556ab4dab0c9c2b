/** The services as they run in production, in this process: a whole, in which each test file has a workspace and a key of its own. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { completeSettings, createKey, publishKey, publishWorkspace } from '@roster/access';
import { startExport } from '@roster/export-service';
import { startIdentity } from '@roster/identity-service';
import { startIngress } from '@roster/ingress-service';
import { startIntegrations } from '@roster/integrations-service';
import { startMessaging, startPages, startSender } from '@roster/messaging-service';
import type { Running } from '@roster/runtime';
import { openStore, type Store } from '@roster/store';
import { startSubscription } from '@roster/subscription-service';
import { contextIn, redisRights, testMongo, testRedis, testSecret, variablesOf } from '@roster/testkit';
import { startTrack } from '@roster/track-service';
import { Redis } from 'ioredis';
import request, { type Response, type Test } from 'supertest';

export const workspace = {
  id: 'demo',
  apps: [{ id: 'demo-app', name: 'Demo app' }],
  subscription_groups: [
    { id: 'demo-news', name: 'News', description: 'What is new, once a month', channel: 'email' },
    { id: 'demo-texts', name: 'Texts', channel: 'sms' },
  ],
  tags: ['footer'],
  track: { blocked_external_ids: ['blocked'] },
  integrations: {
    connections: [
      { id: 'warehouse', kind: 'postgresql', url: { file: 'e2e-warehouse' }, tls: 'off' },
      // PostgreSQL, spoken with as Redshift is.
      { id: 'redshift', kind: 'redshift', url: { file: 'e2e-warehouse' }, tls: 'off' },
      { id: 'shop', kind: 'mysql', url: { file: 'e2e-shop' }, tls: 'off' },
      { id: 'documents', kind: 'mongodb', url: { file: 'e2e-documents' }, tls: 'off' },
    ],
  },
};

type Caller = ReturnType<typeof request.agent>;

export interface System {
  /** The workspace. */
  ws: string;
  base: string;
  port: number;
  key: string;
  store: Store;
  redis: Redis;
  redisUrl: string;
  /** Has the key. */
  caller: Caller;
  /** Comes again after a 503; applied once all the same. */
  insist(ask: (caller: Caller) => Test): Promise<Response>;
  /** Waits until it is applied. */
  track(body: object): Promise<Response>;
  /** By external id, with these fields. */
  exported(externalId: string, fields: string[]): Promise<Record<string, unknown> | undefined>;
  /** What became of the entries of a request that has been applied, list by list: `updated`, `ignored:no_such_user`. */
  outcomeOf(answer: Response): Promise<Record<string, string[]>>;
}

/** Services, to be used in several workspaces. */
export interface Whole extends Pick<System, 'base' | 'port' | 'store' | 'redis' | 'redisUrl'> {
  /** As the services have them in their environment. */
  variables: Readonly<Record<string, string>>;
  /** The folder of credentials. */
  credentials: string;
  /** The folder whose folders integrations may read. */
  filesDir: string;
  /** With a key that may do everything. */
  open(ws: string, settings?: Settings): Promise<System>;
  stop(): Promise<void>;
}

type Entries = Record<string, { result: string; reason?: string }[]>;

/** Of a request that has been applied, list by list: `updated`, `ignored:no_such_user`. */
export const outcomesIn = ({ entries = {} }: Record<string, unknown>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(entries as Entries).map(([list, all]) => [
      list,
      all.map(({ result, reason }) => (reason === undefined ? result : `${result}:${reason}`)),
    ]),
  );

export const settingsOf = (id: string) => {
  const generous = { requests: 1_000_000, seconds: 1 };
  const pools = ['users.track', 'users.track.sync', 'users.track.bulk', 'users.export.ids'];
  const ofSyncs = ['cdi.integration_sync', 'cdi.integration_job_status'];
  const limits = Object.fromEntries([...pools, ...ofSyncs].map((pool) => [pool, generous]));
  return completeSettings({ ...workspace, id, limits });
};

export type Settings = ReturnType<typeof settingsOf>;

/** With channels for each app. */
export const withChannels = (
  settings: Settings,
  channels: NonNullable<Settings['apps'][number]['channels']>,
): Settings => ({
  ...settings,
  apps: settings.apps.map((app) => ({ ...app, channels })),
});

/** As if servers of a test were those of providers. */
export const mayAskHere = ({ messaging, ...settings }: Settings): Settings => ({
  ...settings,
  messaging: { ...messaging, webhook_private_hosts: true },
});

/** Gives the key. */
export const openWorkspace = async (
  { redis, store }: Pick<Whole, 'redis' | 'store'>,
  settings: Settings,
  permissions: string[] = ['*'],
): Promise<string> => {
  const { key, record } = createKey({ ws: settings.id, name: 'all', permissions, pepper: testSecret });
  await store.workspaces.put(settings);
  await store.keys.put(record);
  await publishWorkspace(redis, settings);
  await publishKey(redis, record);
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

/** The longest wait that the ingress takes. */
export const waiting = { prefer: 'wait=30' };

/** A 503 asks to come again, which a busy machine makes likely: for a minute at most. */
export const insistently = async <One extends { status: number }>(
  ask: () => Promise<One>,
  isDone = ({ status }: One): boolean => status !== 503,
): Promise<One> => {
  const end = Date.now() + 60_000;
  for (let answer = await ask(); ; answer = await ask()) {
    if (isDone(answer) || Date.now() > end) return answer;
    await sleep(50);
  }
};

const isRead = ({ method, url }: Test): boolean =>
  method === 'GET' || new URL(url).pathname.startsWith('/users/export');

const isFresh = ({ status, headers }: Response): boolean =>
  status !== 503 && headers['x-roster-fresh'] !== 'false';

type Asking = Pick<System, 'caller' | 'insist' | 'track' | 'exported' | 'outcomeOf'>;

const createAsking = (base: string, key: string): Asking => {
  const caller = request.agent(base).set('authorization', `Bearer ${key}`);
  const insist: System['insist'] = (ask) => {
    const once = randomUUID();
    return insistently(async () => {
      const asked = ask(caller);
      return isRead(asked) ? asked : asked.set('idempotency-key', once);
    });
  };
  return {
    caller,
    insist,
    track: (body) => insist((one) => one.post('/users/track').send(body).set(waiting)),
    async exported(externalId, fields) {
      const asked = { external_ids: [externalId], fields_to_export: fields };
      const ask = async () => caller.post('/users/export/ids').send(asked);
      const { body } = await insistently(ask, isFresh);
      return body.users?.[0];
    },
    async outcomeOf({ headers }) {
      const { body } = await insist((one) => one.get(`/requests/${headers['x-request-id']}`));
      if (body.state !== 'applied') throw new Error(`it is not applied: ${JSON.stringify(body)}`);
      return outcomesIn(body);
    },
  };
};

/** Links lead to the port that the pages have. */
const startMessages = async (variables: Whole['variables']): Promise<Running[]> => {
  const pages = await startPages(await contextIn('pages', variables));
  const linked = { ...variables, PAGES_PORT: String(pages.port) };
  return [
    pages,
    await startMessaging(await contextIn('messaging', linked)),
    await startSender(await contextIn('sender', linked)),
  ];
};

const startWorkers = async (
  variables: Whole['variables'],
  { track, identity, subscription, messaging, integrations }: Instead,
): Promise<Running[]> => {
  const workers = [
    await startTrack(await contextIn('track', variables), track),
    await startExport(await contextIn('export', variables)),
  ];
  if (identity) workers.push(await startIdentity(await contextIn('identity', variables), identity));
  if (subscription) workers.push(await startSubscription(await contextIn('subscription', variables)));
  if (messaging) workers.push(...(await startMessages(variables)));
  if (integrations)
    workers.push(await startIntegrations(await contextIn('integrations', variables), integrations));
  return workers;
};

/** The services have the rights in Redis that the docs give them, and no others. */
const asRoster = async (redis: Redis, url: string): Promise<string> => {
  await redis.call('ACL', 'SETUSER', 'roster', 'reset', 'on', '>e2e', ...redisRights().redis.split(' '));
  await redis.call('ACL', 'LOG', 'RESET');
  const own = new URL(url);
  [own.username, own.password] = ['roster', 'e2e'];
  return own.href;
};

/** Where they needed more. */
const refusedIn = async (redis: Redis): Promise<string[]> => {
  const denied = (await redis.call('ACL', 'LOG')) as string[][];
  return denied.map((one) => one.join(' ')).filter((one) => one.includes('username roster'));
};

export const startWhole = async (instead: Instead = {}): Promise<Whole> => {
  const [redisServer, mongoServer] = [await testRedis(), await testMongo()];
  const redis = new Redis(redisServer.url);
  const credentials = await mkdtemp(join(tmpdir(), 'roster-e2e-'));
  const filesDir = await mkdtemp(join(tmpdir(), 'roster-e2e-'));
  const servers = { redisUrl: await asRoster(redis, redisServer.url), mongoUrl: mongoServer.url };
  const variables = variablesOf(servers, {
    ...{ CREDENTIALS_DIR: credentials, FILES_DIR: filesDir, IDEMPOTENCY_HOURS: '1', DRAIN_SECONDS: '0' },
    // Out of reach of a slow machine: what is awaited here is the result.
    RESULT_TIMEOUT_SECONDS: '60',
  });
  const store = await openStore({ url: mongoServer.url, appName: 'e2e', ensureIndexes: true });
  const workers = await startWorkers(variables, instead);
  const ingress = await startIngress(await contextIn('ingress', variables));
  const port = ingress.port ?? 0;
  const parts = { base: `http://127.0.0.1:${port}`, port, store, redis, redisUrl: redisServer.url };
  return {
    ...parts,
    variables,
    credentials,
    filesDir,
    async open(ws, settings = settingsOf(ws)) {
      const key = await openWorkspace(parts, settings);
      return { ...parts, ws, key, ...createAsking(parts.base, key) };
    },
    async stop() {
      await ingress.stop();
      await Promise.all(workers.map((worker) => worker.stop()));
      await store.close();
      const refused = await refusedIn(redis);
      redis.disconnect();
      await redisServer.close();
      await mongoServer.close();
      for (const dir of [credentials, filesDir]) await rm(dir, { recursive: true });
      if (refused.length > 0) throw new Error(`Redis refused: ${refused.join('; ')}`);
    },
  };
};

export type OwnSystem = System & Pick<Whole, 'stop'>;

/** A whole for one file alone, because it exchanges parts or breaks some. */
export const startSystem = async (instead: Instead = {}): Promise<OwnSystem> => {
  const whole = await startWhole(instead);
  return { ...(await whole.open(workspace.id)), stop: whole.stop };
};

/** Workspaces on one server, the command line beside them, and a way to ask for everybody: what the round trips need. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { completeSettings, createKey, publishAll } from '@roster/access';
import { runCommand } from '@roster/cli';
import { exportableFields } from '@roster/contract';
import { startExport } from '@roster/export-service';
import { startIdentity } from '@roster/identity-service';
import { startIngress } from '@roster/ingress-service';
import { type Change, fold, identityKey, newProfile, type Profile } from '@roster/profile';
import { loadConfig, type Running, serviceConfigs } from '@roster/runtime';
import { openStore, type Store } from '@roster/store';
import { testMongo, testRedis } from '@roster/testkit';
import { startTrack } from '@roster/track-service';
import { Redis } from 'ioredis';
import { contextOf, secret, variablesOf } from './context.ts';

const settingsOf = (id: string) => {
  const generous = { requests: 1_000_000, seconds: 1 };
  return completeSettings({
    id,
    apps: [{ id: 'web', name: 'Web' }],
    subscription_groups: [
      { id: 'news', name: 'News', channel: 'email' },
      { id: 'texts', name: 'Texts', channel: 'sms' },
    ],
    currency: { reporting: 'EUR', rates: { USD: '0.9', GBP: '1.17' } },
    track: { max_profile_bytes: 3 * 1024 * 1024 },
    limits: {
      work: generous,
      'users.track': generous,
      'users.export.ids': generous,
      'users.identity': generous,
    },
  });
};

export type User = Record<string, unknown>;

/** What cannot make the trip (docs/round-trip.md). */
export const stays = ['service_id', 'random_bucket', 'created_at'];

const comparable = (user: User): User => {
  const entries = Object.entries(user).filter(([name]) => !stays.includes(name));
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (name === 'subscription_groups')
        return [name, (value as User[]).map(({ since: _, ...group }) => group)];
      // What people have several of is in the order in which it came; what comes at once is in the order of its keys.
      const list = Array.isArray(value) && name !== 'last_coordinates';
      return [name, list ? value.map((item) => JSON.stringify(item)).toSorted() : value];
    }),
  );
};

const nameIn = ({ external_id, email, phone, first_name, push_tokens }: User) => [
  external_id,
  email,
  phone,
  first_name,
  push_tokens,
];

/** A 503 asks to come again, which a busy machine makes likely. */
const send = async (url: string, sent: RequestInit, tries = 20): Promise<Response> => {
  const response = await fetch(url, sent);
  if (response.status !== 503 || tries === 1) return response;
  await response.body?.cancel();
  await new Promise((resolve) => setTimeout(resolve, 500));
  return send(url, sent, tries - 1);
};

const postTo = async (url: string, key: string, body: object): Promise<Record<string, unknown>> => {
  const response = await send(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      prefer: 'wait=10',
    },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (response.status >= 300 || answer.errors) throw new Error(JSON.stringify(answer));
  return answer;
};

const runRoster = async (env: Record<string, string>, args: readonly string[]) => {
  const said = { out: '', err: '' };
  const code = await runCommand(args, {
    out(text) {
      said.out += text;
    },
    err(text) {
      said.err += text;
    },
    env,
    readText: (path) => readFileSync(path, 'utf8'),
    now: () => new Date(),
  });
  return { code, ...said };
};

/** As no request could make them. */
const put = async (
  store: Store,
  ws: string,
  _id: string,
  more: Partial<Profile>,
  changes: Change[],
): Promise<void> => {
  const at = Date.now() * 1000;
  const profile = fold({ ...newProfile(_id, ws, at), ...more }, changes, at, 0).profile;
  await store.profiles.insertOne(profile);
  const { external_id, former_ids = [], aliases = [] } = profile;
  const claims = [
    ...[external_id, ...former_ids]
      .filter((id) => id !== undefined)
      .map((id) => identityKey(ws, { by: 'external_id', id })),
    ...aliases.map((one) => identityKey(ws, { by: 'user_alias', ...one })),
  ];
  for (const claim of claims) await store.identities.insertOne({ _id: claim, profile: _id, at });
};

/** Everybody, by every way to ask for them. */
const everybody = async (
  store: Store,
  ws: string,
  exported: (who: object) => Promise<User[]>,
): Promise<User[]> => {
  const people = await store.profiles.find({ ws }).toArray();
  const ids = people.flatMap(({ external_id }) => external_id ?? []).toSorted();
  const found: User[] = [];
  for (let n = 0; n < ids.length; n += 50)
    found.push(...(await exported({ external_ids: ids.slice(n, n + 50) })));
  const aliases = people
    .filter((one) => one.external_id === undefined)
    .flatMap((one) => one.aliases?.slice(0, 1) ?? [])
    .map(({ label, name }) => ({ alias_label: label, alias_name: name }))
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  for (let n = 0; n < aliases.length; n += 50)
    found.push(...(await exported({ user_aliases: aliases.slice(n, n + 50) })));
  const rest = people.filter((one) => one.external_id === undefined && !one.aliases?.length);
  for (const { _id } of rest) found.push(...(await exported({ service_id: _id })));
  return found.toSorted((a, b) => (JSON.stringify(nameIn(a)) < JSON.stringify(nameIn(b)) ? -1 : 1));
};

const startServices = async (all: Record<string, string>): Promise<Running[]> => [
  await startTrack(contextOf('track', loadConfig(serviceConfigs.track, all))),
  await startIdentity(contextOf('identity', loadConfig(serviceConfigs.identity, all))),
  await startExport(contextOf('export', loadConfig(serviceConfigs.export, all))),
  await startIngress(contextOf('ingress', loadConfig(serviceConfigs.ingress, all))),
];

/** `permissions`: of those keys that do not have all. */
export const startTrips = async <Ws extends string>(
  workspaces: readonly Ws[],
  permissions: { readonly [Name in Ws]?: string[] } = {},
) => {
  const [redisServer, mongo] = await Promise.all([testRedis(), testMongo()]);
  const redis = new Redis(redisServer.url);
  const store = await openStore({ url: mongo.url, appName: 'e2e', ensureIndexes: true });
  const made = workspaces.map((ws) =>
    createKey({ ws, name: 'all', permissions: permissions[ws] ?? ['*'], pepper: secret }),
  );
  const keys = new Map(workspaces.map((ws, n) => [ws, made[n]?.key ?? '']));
  const settings = workspaces.map(settingsOf);
  for (const one of settings) await store.workspaces.put(one);
  await publishAll(redis, { keys: made.map(({ record }) => record), workspaces: settings });
  const all: Record<string, string> = {
    ...variablesOf(redisServer.url, mongo.url),
    ROSTER_ALLOW_UNSAFE_REDIS: 'true',
  };
  const { REDIS_URL = '', MONGO_URL = '', ROSTER_SECRET = '', TRACK_PARTITIONS = '' } = all;
  const env = { REDIS_URL, MONGO_URL, ROSTER_SECRET, TRACK_PARTITIONS };
  const running = await startServices(all);
  const base = `http://127.0.0.1:${running.at(-1)?.port}`;
  const dir = mkdtempSync(join(tmpdir(), 'roster-trip-'));

  const keyOf = (ws: Ws): string => keys.get(ws) ?? '';
  const envOf = (ws: Ws) => ({ ...env, ROSTER_URL: base, ROSTER_API_KEY: keyOf(ws) });
  const post = (ws: Ws, path: string, body: object) => postTo(base + path, keyOf(ws), body);
  const exported = async (ws: Ws, who: object): Promise<User[]> => {
    const { users } = await post(ws, '/users/export/ids', { ...who, fields_to_export: exportableFields });
    return (users as User[]).map(comparable);
  };

  return {
    store,
    dir,
    envOf,
    post,
    roster: (ws: Ws, ...args: string[]) => runRoster(envOf(ws), args),
    exported,
    put: (ws: Ws, id: string, more: Partial<Profile>, changes: Change[] = []) =>
      put(store, ws, id, more, changes),
    everybody: (ws: Ws) => everybody(store, ws, (who) => exported(ws, who)),

    async stop(): Promise<void> {
      for (const one of running.toReversed()) await one.stop();
      redis.disconnect();
      await store.close();
      for (const server of [redisServer, mongo]) await server.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
};

export type Trips<Ws extends string> = Awaited<ReturnType<typeof startTrips<Ws>>>;

export const daysAgo = (days: number): string => new Date(Date.now() - days * 24 * 3600 * 1000).toISOString();

export const linesIn = (path: string): User[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** A Ctrl-C, once: a second one would end this process. */
export const interruptWhenThere = (path: string, bytes = 0): (() => void) => {
  const looking = setInterval(() => {
    if (!existsSync(path) || statSync(path).size < bytes) return;
    clearInterval(looking);
    process.emit('SIGINT');
  }, 1);
  return () => clearInterval(looking);
};

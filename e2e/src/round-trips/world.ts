/** Workspaces on one server, the command line beside them, and a way to ask for everybody: what the round trips need. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { completeSettings } from '@roster/access';
import { Roster } from '@roster/client';
import { exportableFields } from '@roster/contract';
import { fold, newProfile, type Profile, type ProfileChange } from '@roster/profile';
import type { Store } from '@roster/store';
import { storeProfiles, useFolder } from '@roster/testkit';
import { runRoster } from '../run-roster.ts';
import { useSharedStore, useWhole } from '../shared.ts';
import { openWorkspace } from '../system.ts';

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

/** When it has taken effect, every entry of it. */
const call = async (roster: Roster, id: string, body: object): Promise<Record<string, unknown>> => {
  const answer: Record<string, unknown> = { ...(await roster.call(id, { body }, { wait: 30 })) };
  if (answer.errors) throw new Error(JSON.stringify(answer));
  return answer;
};

/** As no request could make them. */
const put = async (
  store: Store,
  ws: string,
  _id: string,
  more: Partial<Profile>,
  changes: ProfileChange[],
): Promise<void> => {
  const at = Date.now() * 1000;
  await storeProfiles(store, [fold({ ...newProfile(_id, ws, at), ...more }, changes, at, 0).profile]);
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

/** For the tests of a file. `permissions`: of those keys that do not have all. */
export const useTrips = <Ws extends string>(
  workspaces: readonly Ws[],
  permissions: { readonly [Name in Ws]?: string[] } = {},
) => {
  const whole = useWhole();
  const store = useSharedStore();
  const keys = new Map<Ws, string>();
  beforeAll(async () => {
    for (const ws of workspaces) keys.set(ws, await openWorkspace(whole, settingsOf(ws), permissions[ws]));
  });

  const keyOf = (ws: Ws): string => keys.get(ws) ?? '';
  const envOf = (ws: Ws) => ({ ...whole.variables, ROSTER_URL: whole.base, ROSTER_API_KEY: keyOf(ws) });
  const clientOf = (ws: Ws): Roster => new Roster({ url: whole.base, key: keyOf(ws) });
  const exported = async (ws: Ws, who: object): Promise<User[]> => {
    const asked = { ...who, fields_to_export: exportableFields };
    const { users } = await call(clientOf(ws), 'users.export.ids', asked);
    return (users as User[]).map(comparable);
  };

  return {
    store,
    inFolder: useFolder(),
    envOf,
    call: (ws: Ws, id: string, body: object) => call(clientOf(ws), id, body),
    roster: (ws: Ws, ...args: string[]) => runRoster(envOf(ws), args),
    exported,
    put: (ws: Ws, id: string, more: Partial<Profile>, changes: ProfileChange[] = []) =>
      put(store, ws, id, more, changes),
    everybody: (ws: Ws) => everybody(store, ws, (who) => exported(ws, who)),
  };
};

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

/** What is there, all over HTTP: asked for by every name, so that it is known who answers to what. */
import type { ExportedUser } from '@roster/contract';
import { type Client, isAccepted } from '../harness/client.ts';
import { eachOf, inParts, until } from '../harness/wait.ts';
import { type Names, ref } from './calls.ts';
import { bought } from './model.ts';
import { type Claim, isClaim, keyOf, type Ref } from './state.ts';
import { type Shown, written } from './written.ts';

type Exported = ExportedUser & { service_id: string };

const fields = [
  'service_id',
  'external_id',
  'user_aliases',
  'email',
  'phone',
  'email_subscribe',
  'push_subscribe',
  'subscription_groups',
  'custom_attributes',
  'custom_events',
  'purchases',
];

/** Workers that are killed may keep an answer from being fresh for a while. */
const patienceMs = 600_000;

/** Asks until the answer is fresh. */
const exportOf = async (client: Client, body: Record<string, unknown>): Promise<Exported[]> => {
  let users: Exported[] | undefined;
  let last = '';
  await until(patienceMs, async () => {
    const answer = await client.call({
      path: '/users/export/ids',
      body: { ...body, fields_to_export: fields },
      timeoutMs: 20_000,
    });
    last = `${answer.status} ${answer.body.slice(0, 200)}`;
    const isFresh = isAccepted(answer) && answer.headers['x-roster-fresh'] === 'true';
    if (isFresh) users = (JSON.parse(answer.body) as { users: Exported[] }).users;
    return isFresh;
  });
  if (!users) throw new Error(`no fresh export within ${patienceMs} ms, at last ${last}`);
  return users;
};

/** A person whose names are to be looked up. */
export interface Looked {
  names: Names;
  asked: readonly Ref[];
}

const atOnce = 50;
const hands = 4;

type Found = Map<string, { user: Exported; keys: string[] }>;

const note = (found: Found, user: Exported, who: Ref): void => {
  const known = found.get(user.service_id) ?? { user, keys: [] };
  known.keys.push(keyOf(who));
  found.set(user.service_id, known);
};

/** By an external id or alias: a name of many histories in one request. An answer that tells nothing of its history is asked for again, one by one. */
const lookMany = async (client: Client, who: Claim, some: readonly [Looked, Found][]): Promise<void> => {
  const byPrefix = new Map(some.map(([{ names }, found]) => [names.prefix, found]));
  const values = some.map(([{ names }]) => Object.values(ref(names, who))[0]);
  const users = await exportOf(client, { ['ext' in who ? 'external_ids' : 'user_aliases']: values });
  for (const user of users) {
    const prefixes = namesOf(user).map((name) => name.split('-', 1)[0] ?? '');
    const [mine] = prefixes.flatMap((prefix) => byPrefix.get(prefix) ?? []);
    if (!mine) throw new Error(`${keyOf(who)} led to a person of no history: ${JSON.stringify(user)}`);
    note(mine, user, who);
  }
};

const namesOf = ({ external_id, user_aliases = [], email }: Exported): string[] => [
  ...(external_id === undefined ? [] : [external_id]),
  ...user_aliases.map(({ alias_name }) => alias_name),
  ...(email === undefined ? [] : [email]),
];

/** By an email, phone or service id: one a request. */
const lookOne = async (client: Client, names: Names, who: Ref, found: Found): Promise<void> => {
  const [[member, value] = ['', '']] = Object.entries(ref(names, who));
  if (value === undefined) return;
  const users = await exportOf(client, { [member === 'email' ? 'email_address' : member]: value });
  for (const user of users) note(found, user, who);
};

const stateIn = ({ subscription_groups = [] }: Exported, group: string) =>
  subscription_groups.find(({ id }) => id === group)?.state;

const tokensIn = (counted: Exported['purchases'] = []): string[] =>
  counted.flatMap(({ name, count }) => Array.from({ length: count }, () => name));

const shown = ({ prefix }: Names, user: Exported, keys: readonly string[]): Shown => {
  const bare = (text: string): string => text.slice(prefix.length + 1);
  const { external_id, user_aliases = [], email, phone, custom_attributes = {} } = user;
  return {
    keys,
    ext: external_id && bare(external_id),
    aliases: user_aliases.map(({ alias_label, alias_name }) => `${alias_label}/${bare(alias_name)}`),
    email: email && bare(email).replace('@example.com', ''),
    phone: phone && 'f0',
    tokens: [
      ...tokensIn(user.custom_events).map(bare),
      ...tokensIn(user.purchases).map((name) => bought(bare(name))),
    ],
    colour: custom_attributes.colour,
    visits: custom_attributes.visits,
    consents: {
      email: user.email_subscribe,
      push: user.push_subscribe,
      news: stateIn(user, 'demo-news'),
      texts: stateIn(user, 'demo-texts'),
    },
  };
};

/** All people, in the words of the model: one text for each history. */
export const lookAt = async (client: Client, all: readonly Looked[]): Promise<string[]> => {
  const founds = all.map((): Found => new Map());
  const withFound = all.map((one, n): [Looked, Found] => [one, founds[n] ?? new Map()]);
  const claims = new Map(all.flatMap(({ asked }) => asked.filter(isClaim).map((who) => [keyOf(who), who])));
  const asking = (key: string) => withFound.filter(([{ asked }]) => asked.some((who) => keyOf(who) === key));
  const many = [...claims].flatMap(([key, who]) =>
    inParts(asking(key), atOnce).map((some) => [who, some] as const),
  );
  await eachOf(many, hands, ([who, some]) => lookMany(client, who, some));
  const single = withFound.flatMap(([{ names, asked }, found]) =>
    asked.filter((who) => !isClaim(who)).map((who) => [names, who, found] as const),
  );
  await eachOf(single, hands, ([names, who, found]) => lookOne(client, names, who, found));
  return all.map(({ names }, n) =>
    [...(founds[n]?.values() ?? [])]
      .map(({ user, keys }) => written(shown(names, user, keys)))
      .sort()
      .join('\n'),
  );
};

/** The service id of every named person. */
export const serviceIdsOf = async (
  client: Client,
  all: readonly { names: Names; who: Ref; svc: string }[],
): Promise<void> => {
  await eachOf(inParts(all, atOnce), hands, async (some) => {
    const body: Record<string, unknown[]> = { external_ids: [], user_aliases: [] };
    const byName = new Map<string, (typeof all)[number]>();
    for (const one of some) {
      const { external_id, user_alias } = ref(one.names, one.who);
      if (external_id !== undefined) body.external_ids?.push(external_id);
      else body.user_aliases?.push(user_alias);
      byName.set(nameIn(external_id ?? user_alias), one);
    }
    for (const { service_id, external_id, user_aliases } of await exportOf(client, body)) {
      const one = byName.get(nameIn(external_id ?? user_aliases?.[0]));
      if (one) one.names.svcs[one.svc] = service_id;
    }
  });
};

const nameIn = (one: unknown): string =>
  typeof one === 'string' ? one : String((one as { alias_name?: string } | undefined)?.alias_name);

/** What is there, all over HTTP: asked for by every name, so that it is known who answers to what. */
import type { ExportedUser } from '@roster/contract';
import { type Client, isAccepted } from '../harness/client.ts';
import { eachOf, inParts, until } from '../harness/wait.ts';
import { type Names, ref } from './calls.ts';
import { bought } from './model.ts';
import { type Claim, isClaim, keyOf, type Ref } from './state.ts';
import { type Shown, written } from './written.ts';

export type Exported = ExportedUser & { service_id: string };

export const fields = [
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
] as const;

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

const namesOf = ({ external_id, user_aliases = [], email }: Exported): string[] => [
  ...(external_id === undefined ? [] : [external_id]),
  ...user_aliases.map(({ alias_name }) => alias_name),
  ...(email === undefined ? [] : [email]),
];

/** A name, and what is done with each person to whom it leads. */
interface Question {
  names: Names;
  who: Ref;
  see(user: Exported): void;
}

/** An external id or alias: that of many histories in one request. */
const askMany = async (client: Client, who: Claim, some: readonly Question[]): Promise<void> => {
  const byPrefix = new Map(some.map((one) => [one.names.prefix, one]));
  const values = some.map(({ names }) => Object.values(ref(names, who))[0]);
  const users = await exportOf(client, { ['ext' in who ? 'external_ids' : 'user_aliases']: values });
  for (const user of users) {
    const prefixes = namesOf(user).map((name) => name.split('-', 1)[0] ?? '');
    const [mine] = prefixes.flatMap((prefix) => byPrefix.get(prefix) ?? []);
    if (!mine) throw new Error(`${keyOf(who)} led to a person of no history: ${JSON.stringify(user)}`);
    mine.see(user);
  }
};

/** An email, phone or service id: one a request. */
const askOne = async (client: Client, { names, who, see }: Question): Promise<void> => {
  const [[member, value] = ['', '']] = Object.entries(ref(names, who));
  if (!value) return;
  const users = await exportOf(client, { [member === 'email' ? 'email_address' : member]: value });
  users.forEach(see);
};

const ask = async (client: Client, all: readonly Question[]): Promise<void> => {
  const claims = new Map(all.flatMap(({ who }) => (isClaim(who) ? [[keyOf(who), who] as const] : [])));
  const asking = (key: string) => all.filter(({ who }) => keyOf(who) === key);
  const many = [...claims].flatMap(([key, who]) =>
    inParts(asking(key), atOnce).map((some) => [who, some] as const),
  );
  await eachOf(many, hands, ([who, some]) => askMany(client, who, some));
  const single = all.filter(({ who }) => !isClaim(who));
  await eachOf(single, hands, (one) => askOne(client, one));
};

const stateIn = ({ subscription_groups = [] }: Exported, group: string) =>
  subscription_groups.find(({ id }) => id === group)?.state;

const tokensIn = (counted: Exported['purchases'] = []): string[] =>
  counted.flatMap(({ name, count }) => Array.from({ length: count }, () => name));

export const shown = ({ prefix }: Names, user: Exported, keys: readonly string[]): Shown => {
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
  const looked = all.map((one) => ({ ...one, found: new Map() as Found }));
  const questions = looked.flatMap(({ names, asked, found }) =>
    asked.map((who) => ({ names, who, see: (user: Exported) => note(found, user, who) })),
  );
  await ask(client, questions);
  return looked.map(({ names, found }) =>
    [...found.values()]
      .map(({ user, keys }) => written(shown(names, user, keys)))
      .sort()
      .join('\n'),
  );
};

/** The service id of every named person. */
export const serviceIdsOf = (
  client: Client,
  all: readonly { names: Names; who: Ref; svc: string }[],
): Promise<void> => {
  const questions = all.map(({ svc, ...named }) => ({
    ...named,
    see({ service_id }: Exported) {
      named.names.svcs[svc] = service_id;
    },
  }));
  return ask(client, questions);
};

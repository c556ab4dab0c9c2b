/** Stands for the hosted service, by its public documentation: people who are changed at once, and read by its operations. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { textOf } from '@roster/testkit';

type Json = Record<string, unknown>;

export interface Told {
  status: number;
  headers: Record<string, string>;
  text: string;
}

interface Group {
  id: string;
  name: string;
  channel: string;
}

/** Of a person, beside attributes of the workspace's own. */
const ownMembers = new Set([
  ...['external_id', 'email', 'phone', 'first_name', 'last_name', 'email_subscribe', 'country', 'dob'],
  ...['devices', 'apps', 'last_coordinates', 'user_aliases', 'language', 'gender'],
]);

const recordsIn = (value: unknown): Json[] => (Array.isArray(value) ? value : []);

/** One more of what was done at a time, under its name. */
const counted = (before: unknown, name: unknown, time: unknown): Json[] => {
  const [known, others] = [recordsIn(before), recordsIn(before).filter((one) => one.name !== name)];
  const { first = time, count = 0 } = known.find((one) => one.name === name) ?? {};
  return [...others, { name, first, last: time, count: Number(count) + 1 }];
};

/** By external id. */
type People = Map<string, Json>;

const personIn = (people: People, id: unknown): Json => {
  const number = people.size + 1;
  const person = people.get(String(id)) ?? {
    ...{ external_id: String(id), braze_id: `5fbd99bac125ca40511f${number}`, random_bucket: number },
    ...{ created_at: '2020-07-10 15:00:00.000 UTC', user_aliases: [] },
    ...{ email_subscribe: 'subscribed', push_subscribe: 'subscribed' },
  };
  people.set(String(id), person);
  return person;
};

const createStates = (groups: readonly Group[]) => {
  /** By external id and group. */
  const states = new Map<string, Map<string, string>>();
  return {
    set(id: unknown, group: unknown, state: unknown): void {
      const own = states.get(String(id)) ?? new Map<string, string>();
      states.set(String(id), own.set(String(group), state === 'subscribed' ? 'Subscribed' : 'Unsubscribed'));
    },
    of: (id: string, group: string): string => states.get(id)?.get(group) ?? 'unknown',
    groupsOf: (id: unknown): object[] =>
      groups.flatMap((group) => {
        const status = states.get(String(id))?.get(group.id);
        return status === undefined ? [] : [{ ...group, status }];
      }),
  };
};

type States = ReturnType<typeof createStates>;

const setMember = (states: States, person: Json, name: string, value: unknown): void => {
  if (name === 'subscription_groups')
    for (const { subscription_group_id, subscription_state } of recordsIn(value))
      states.set(person.external_id, subscription_group_id, subscription_state);
  else if (name === 'push_tokens')
    person[name] = recordsIn(value).map(({ app_id, ...token }) => ({ ...token, app: `App ${app_id}` }));
  else if (ownMembers.has(name)) person[name] = value;
  else person.custom_attributes = { ...Object(person.custom_attributes), [name]: value };
};

const track = (people: People, states: States, body: Json): object => {
  for (const { external_id, ...members } of recordsIn(body.attributes))
    for (const [name, value] of Object.entries(members))
      setMember(states, personIn(people, external_id), name, value);
  for (const { external_id, name, time } of recordsIn(body.events)) {
    const person = personIn(people, external_id);
    person.custom_events = counted(person.custom_events, name, time);
  }
  for (const { external_id, product_id, time, price } of recordsIn(body.purchases)) {
    const person = personIn(people, external_id);
    person.purchases = counted(person.purchases, product_id, time);
    person.total_revenue = Number(person.total_revenue ?? 0) + Number(price);
  }
  const counts = Object.entries(body).map(([name, list]) => [`${name}_processed`, recordsIn(list).length]);
  return Object.fromEntries(counts);
};

const knownOf = (people: People, ids: readonly string[]): Json[] =>
  ids.map((id) => people.get(id)).filter((person) => person !== undefined);

const exported = (people: People, { external_ids, fields_to_export }: Json): object => {
  const [ids, fields] = [[external_ids].flat().map(String), [fields_to_export].flat()];
  const users = knownOf(people, ids);
  const unknown = ids.filter((id) => !people.has(id));
  return {
    users: users.map((user) =>
      Object.fromEntries(Object.entries(user).filter(([name]) => fields.includes(name))),
    ),
    ...(unknown.length > 0 && { invalid_user_ids: unknown }),
  };
};

const userStatus = (people: People, states: States, ids: readonly string[]): object => {
  const users = knownOf(people, ids);
  return {
    users: users.map(({ email = null, phone = null, external_id }) => ({
      ...{ email, phone, external_id, subscription_groups: states.groupsOf(external_id) },
    })),
    total_count: users.length,
  };
};

const createAnswers = (people: People, states: States) => {
  const ids = (query: URLSearchParams) => query.getAll('external_id');
  const answers: Record<string, (body: Json, query: URLSearchParams) => object> = {
    'POST /users/track': (body) => track(people, states, body),
    'POST /users/export/ids': (body) => exported(people, body),
    'GET /subscription/status/get': (_, query) => {
      const group = query.get('subscription_group_id') ?? '';
      return { status: Object.fromEntries(ids(query).map((id) => [id, states.of(id, group)])) };
    },
    'GET /subscription/user/status': (_, query) => userStatus(people, states, ids(query)),
    'GET /content_blocks/list': () => ({ count: 0, content_blocks: [] }),
    'GET /preference_center/v1/list': () => ({ preference_centers: [] }),
    'GET /messages/scheduled_broadcasts': () => ({ scheduled_broadcasts: [] }),
    'GET /cdi/integrations': () => ({ results: [] }),
  };
  return answers;
};

const usual = {
  ...{ 'content-type': 'application/json', 'x-ratelimit-limit': '250' },
  ...{ 'x-ratelimit-remaining': '249', 'x-ratelimit-reset': '1' },
};

export const createHostedReads = (groups: readonly Group[], first: readonly Json[]) => {
  const people: People = new Map(
    first
      .filter(({ external_id }) => external_id !== undefined)
      .map((person) => [String(person.external_id), { ...person }]),
  );
  const states = createStates(groups);
  const answers = createAnswers(people, states);
  const service = {
    /** What it answers instead, where a test plants a difference. */
    instead: (told: Told): Told => told,
    setState: states.set,
    async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const text = await textOf(request);
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://hosted');
      const body = answers[`${request.method} ${pathname}`]?.(JSON.parse(text || '{}'), searchParams);
      const status = body ? (request.method === 'POST' ? 201 : 200) : 404;
      const message = body ? 'success' : 'not found';
      const told = { status, headers: { ...usual }, text: JSON.stringify({ ...body, message }) };
      const { status: code, headers, text: sent } = service.instead(told);
      response.writeHead(code, headers).end(sent);
    },
  };
  return service;
};

/** After a delete was accepted its identifiers are free (decisions.md): here the delete is held up while what comes after it is sent. */
import { randomUUID } from 'node:crypto';
import { createDeletions, createGate, type Gate, openConnection, queuesOf } from '@roster/queue';
import { until } from '@roster/testkit';
import { noDeletionPending } from '@roster/track-service';
import type { Redis } from 'ioredis';
import type { Response } from 'supertest';
import { type Instead, type OwnSystem, outcomesIn, startSystem } from './system.ts';

jest.setTimeout(120_000);

/** Deletes, and what was accepted after them, stay in the identity queue while this is so. */
let isHeld = false;
let gate: Gate = async () => new Set();
let connection: Redis | undefined;

/** How often a service has looked at a request, by its id. Looked at twice, it was put off and has come again. */
const looks = new Map<string, number>();
const noteLook = (requests: readonly { id: string }[]): void => {
  for (const { id } of requests) looks.set(id, (looks.get(id) ?? 0) + 1);
};
const isPutOff = (id: string): boolean => (looks.get(id) ?? 0) > 1;

const identityGate: Gate = async (requests) => {
  noteLook(requests);
  const passed = await gate(requests);
  if (!isHeld) return passed;
  const first = Math.min(...requests.filter(({ op }) => op === 'users.delete').map(({ at }) => at));
  return new Set(requests.filter(({ id, at }) => passed.has(id) && at < first).map(({ id }) => id));
};

type PendingFor = NonNullable<NonNullable<Instead['track']>['pendingFor']>;
let pendingFor: PendingFor = noDeletionPending;

const watched: NonNullable<Instead['track']> = {
  pendingFor(requests) {
    noteLook(requests);
    return pendingFor(requests);
  },
  // However long a delete is held up.
  mostTries: 1_000_000,
};

interface Blind {
  /** What is tracked does not wait for deletions. */
  track?: boolean;
  /** Identity requests don't wait for the deletions of other batches. */
  identity?: boolean;
}

const start = async (blind: Blind = {}): Promise<OwnSystem> => {
  const system = await startSystem({
    track: watched,
    identity: { fence: identityGate },
    subscription: true,
  });
  connection = openConnection('patient', system.redisUrl);
  const deletions = createDeletions(connection);
  pendingFor = blind.track ? noDeletionPending : deletions.pendingFor;
  gate = createGate(connection, queuesOf('track', 2), blind.identity ? {} : { heldUp: deletions.before });
  return system;
};

let system: OwnSystem;
const stop = async (): Promise<void> => {
  isHeld = false;
  await system.stop();
  connection?.disconnect();
};

let made = 0;
const newName = (): string => `person-${++made}`;

const alias = (name: string, label = 'crm') => ({ alias_label: label, alias_name: name });

/** With everything by which a person can be named. */
const create = async () => {
  const name = newName();
  const [email, phone] = [`${name}@example.com`, `+1415555${String(1000 + made)}`];
  await system.track({ attributes: [{ external_id: name, email, phone, old: true, visits: 1 }] });
  const user_aliases = [{ external_id: name, ...alias(name) }];
  await system.caller.post('/users/alias/new').send({ user_aliases });
  const user = await system.exported(name, ['service_id', 'user_aliases']);
  expect(user?.user_aliases).toHaveLength(1);
  return { name, email, phone, service_id: String(user?.service_id) };
};
type Person = Awaited<ReturnType<typeof create>>;

/** Its gate is not watched. */
const isWithSubscription = async (): Promise<boolean> =>
  (await system.redis.llen('{roster:subscription}:subscription:active')) > 0;

/** Sends a request without waiting for its result: until it was put off. */
const leave = async (path: string, body: object): Promise<{ answered: Promise<Response> }> => {
  const known = new Set(looks.keys());
  let isAnswered = false;
  const once = { 'idempotency-key': randomUUID() };
  const answered = Promise.resolve(system.caller.post(path).send(body).set(once)).finally(() => {
    isAnswered = true;
  });
  const isNewPutOff = () => [...looks.keys()].some((id) => !known.has(id) && isPutOff(id));
  await until(async () => isAnswered || isNewPutOff() || (await isWithSubscription()));
  return { answered };
};

/** What became of a request, once that is known. */
const ended = async (id: string): Promise<Record<string, unknown> | undefined> => {
  const { body } = await system.caller.get(`/requests/${id}`);
  return body.state === 'applied' || body.state === 'failed' ? body : undefined;
};

const idOf = ({ headers }: Response): string => headers['x-request-id'] ?? '';

interface Later {
  path: string;
  body: object;
}

/**
 * While the delete is held up: sends what comes after it, until each is put off, or applied too early. What became of the entries of each:
 * `updated`, `ignored:no_such_user`.
 */
const afterDelete = async (deleted: object, ...later: Later[]): Promise<string[][]> => {
  isHeld = true;
  const { answered: answeredDelete } = await leave('/users/delete', deleted);
  const ids: (string | Promise<Response>)[] = [];
  for (const { path, body } of later) {
    if (path.startsWith('/users/track')) {
      const id = idOf(await system.caller.post(path).send(body).expect(201));
      await until(async () => isPutOff(id) || ended(id));
      ids.push(id);
    } else ids.push((await leave(path, body)).answered);
  }
  isHeld = false;
  await answeredDelete;
  return Promise.all(ids.map(async (id) => resultsOf(typeof id === 'string' ? id : idOf(await id))));
};

const resultsOf = async (id: string): Promise<string[]> =>
  Object.values(outcomesIn(await until(() => ended(id)))).flat();

const fields = ['external_id', 'custom_attributes', 'custom_events', 'email', 'phone', 'user_aliases'];
const personOf = (name: string) => system.exported(name, fields);

const event = (who: object) => ({ ...who, name: 'seen', time: new Date().toISOString() });
const increment = { visits: { inc: 1 }, fresh: true };
const nobody = ['ignored:no_such_user'];
const tracked = (...attributes: object[]): Later => ({ path: '/users/track', body: { attributes } });
const newAlias = (one: object): Later => ({ path: '/users/alias/new', body: { user_aliases: [one] } });
const merging = (away: Person, kept: Person) => ({
  merge_updates: [
    { identifier_to_merge: { external_id: away.name }, identifier_to_keep: { external_id: kept.name } },
  ],
});

const prioritization = ['most_recently_updated'];
const deletions = {
  'external id': ({ name }: Person) => ({ external_ids: [name] }),
  alias: ({ name }: Person) => ({ user_aliases: [alias(name)] }),
  email: ({ email }: Person) => ({ email_addresses: [{ email, prioritization }] }),
  phone: ({ phone }: Person) => ({ phone_numbers: [{ phone, prioritization }] }),
  'service id': ({ service_id }: Person) => ({ service_ids: [service_id] }),
};
const kinds = Object.keys(deletions) as (keyof typeof deletions)[];

describe('after a delete was accepted', () => {
  beforeAll(async () => {
    system = await start();
  });
  afterAll(stop);
  afterEach(() => {
    isHeld = false;
  });

  it.each(kinds)('by %s, what is tracked by external id is about a new person', async (kind) => {
    const ada = await create();
    const who = { external_id: ada.name };
    const body = { attributes: [{ ...who, ...increment }], events: [event(who)] };
    const results = await afterDelete(deletions[kind](ada), { path: '/users/track', body });
    expect(results).toEqual([['created', 'updated']]);
    const person = await personOf(ada.name);
    expect(person).toMatchObject({
      custom_attributes: { visits: 1, fresh: true },
      custom_events: [{ count: 1 }],
    });
    expect(person?.custom_attributes).not.toHaveProperty('old');
    expect(person).not.toHaveProperty('email');
  });

  it.each(kinds)('by %s, an event alone by external id is about a new person', async (kind) => {
    const ada = await create();
    const body = { events: [event({ external_id: ada.name })] };
    expect(await afterDelete(deletions[kind](ada), { path: '/users/track', body })).toEqual([['created']]);
    expect(await personOf(ada.name)).toMatchObject({ custom_events: [{ count: 1 }] });
  });

  it.each(kinds)('by %s, email, phone, alias and service id lead to nobody', async (kind) => {
    const ada = await create();
    const { name, email, phone, service_id } = ada;
    const only = { _update_existing_only: true, fresh: true };
    const names = [{ user_alias: alias(name) }, { email }, { phone }, { service_id }];
    const later = names.map((who) => tracked({ ...who, ...only }));
    expect(await afterDelete(deletions[kind](ada), ...later)).toEqual(names.map(() => nobody));
  });

  it('an email and a phone make a person of their own', async () => {
    const ada = await create();
    const results = await afterDelete(
      { external_ids: [ada.name] },
      tracked({ email: ada.email, ...increment }),
      tracked({ phone: ada.phone, ...increment }),
    );
    expect(results).toEqual([['created'], ['created']]);
  });

  it.each(['none', 'merge'])(
    'an alias identified as the person becomes them (%s)',
    async (merge_behavior) => {
      const ada = await create();
      const user_alias = alias(newName(), 'web');
      await system.track({ attributes: [{ user_alias, _update_existing_only: false, anonymous: true }] });
      const aliases_to_identify = [{ external_id: ada.name, user_alias }];
      const identify = { path: '/users/identify', body: { aliases_to_identify, merge_behavior } };
      expect(await afterDelete({ external_ids: [ada.name] }, identify)).toEqual([['updated']]);
      expect(await personOf(ada.name)).toMatchObject({ custom_attributes: { anonymous: true } });
    },
  );

  it('a new alias finds nobody to be added to, and its name is free', async () => {
    const ada = await create();
    const results = await afterDelete(
      { external_ids: [ada.name] },
      newAlias({ external_id: ada.name, ...alias(ada.name, 'web') }),
      newAlias(alias(ada.name)),
    );
    expect(results).toEqual([nobody, ['created']]);
  });

  it('a merge finds nobody, on either side', async () => {
    const [ada, bob] = [await create(), await create()];
    const merge = (away: Person, kept: Person) => ({ path: '/users/merge', body: merging(away, kept) });
    const results = await afterDelete({ external_ids: [ada.name] }, merge(ada, bob), merge(bob, ada));
    expect(results).toEqual([nobody, nobody]);
    expect(await personOf(bob.name)).toMatchObject({ external_id: bob.name });
  });

  it('a rename to the external id succeeds', async () => {
    const [ada, bob] = [await create(), await create()];
    const external_id_renames = [{ current_external_id: bob.name, new_external_id: ada.name }];
    const rename = { path: '/users/external_ids/rename', body: { external_id_renames } };
    expect(await afterDelete({ external_ids: [ada.name] }, rename)).toEqual([['updated']]);
    expect(await personOf(ada.name)).toMatchObject({ email: bob.email });
  });

  const news = { subscription_group_id: 'demo-news', subscription_state: 'unsubscribed' };

  it.each([
    ['/subscription/status/set', (id: string) => ({ ...news, external_id: id })],
    [
      '/v2/subscription/status/set',
      (id: string) => ({ subscription_groups: [{ ...news, external_ids: [id] }] }),
    ],
  ])('%s by external id finds nobody', async (path, bodyFor) => {
    const ada = await create();
    const later = { path, body: bodyFor(ada.name) };
    expect(await afterDelete({ external_ids: [ada.name] }, later)).toEqual([nobody]);
  });

  it('what is tracked about a person is kept when an unfinished merge joins them with the deleted one', async () => {
    const [ada, bob] = [await create(), await create()];
    isHeld = true;
    // The merge is held up by the delete of another person. Which of it and the next delete comes first is not promised.
    const other = await leave('/users/delete', { external_ids: [newName()] });
    await system.caller.post('/users/merge').send(merging(bob, ada));
    await afterDelete({ external_ids: [ada.name] }, tracked({ external_id: bob.name, ...increment }));
    await other.answered;
    expect(await personOf(bob.name)).toMatchObject({ custom_attributes: { fresh: true } });
    expect(await personOf(ada.name)).toBeUndefined();
  });

  it('between two deletions of one batch, what is tracked goes with the second one', async () => {
    const ada = await create();
    const body = { external_ids: [ada.name] };
    const later = tracked({ external_id: ada.name, ...increment });
    const results = await afterDelete(body, later, { path: '/users/delete', body });
    expect(results).toEqual([['created'], ['updated']]);
    expect(await personOf(ada.name)).toBeUndefined();
  });

  it('a person who comes to the email and leaves it again takes no state of it along', async () => {
    const [ada, bob] = [await create(), await create()];
    await system.track({ attributes: [{ external_id: ada.name, email_subscribe: 'unsubscribed' }] });
    const emails = [ada.email, bob.email].map((email) => tracked({ external_id: bob.name, email }));
    await afterDelete({ external_ids: [ada.name] }, ...emails);
    expect(await system.exported(bob.name, ['email', 'email_subscribe'])).toEqual({ email: bob.email });
  });

  it('a fresh read does not show the person', async () => {
    const ada = await create();
    isHeld = true;
    const { answered } = await leave('/users/delete', { external_ids: [ada.name] });
    const read = () =>
      system.caller.post('/users/export/ids').send({ external_ids: [ada.name], fields_to_export: ['email'] });
    const stale = await read();
    expect([stale.headers['x-roster-fresh'], stale.body.users]).toEqual(['false', [{ email: ada.email }]]);
    isHeld = false;
    await answered;
    await until(async () => (await read()).headers['x-roster-fresh'] === 'true');
    expect((await read()).body.users).toEqual([]);
  });

  it('leaves no notice behind', async () => {
    const ada = await create();
    await system.caller.post('/users/delete').send({ external_ids: [ada.name] });
    expect(await system.redis.zcard('{roster:identity}:deletions:demo')).toBe(0);
  });
});

describe.each<[what: string, effect: string, Blind, later: (ada: Person) => Later]>([
  [
    'the wait of what is tracked',
    'it goes with the person',
    { track: true },
    ({ name }) => tracked({ external_id: name, ...increment }),
  ],
  [
    'the wait of identity requests',
    'a new alias is added to the person who is to be deleted',
    { identity: true },
    ({ name }) => newAlias({ external_id: name, ...alias(name, 'web') }),
  ],
])('without %s', (_, effect, blind, later) => {
  beforeAll(async () => {
    system = await start(blind);
  });
  afterAll(stop);

  it(effect, async () => {
    const ada = await create();
    expect(await afterDelete({ external_ids: [ada.name] }, later(ada))).toEqual([['updated']]);
    expect(await personOf(ada.name)).toBeUndefined();
  });
});

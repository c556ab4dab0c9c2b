// One small request for each service that works requests off, with an effect that can be counted.
import type { Call, Client } from '../harness/client.ts';
import { rowsOf } from '../harness/rows.ts';
import { ext, renaming } from '../harness/sayings.ts';
import type { System } from '../harness/system.ts';
import { stored } from './consent/judge.ts';

/** One request; `shows` must stand in its answer. */
export interface Asked extends Call {
  shows?: string;
}

export interface Work {
  /** Who asks, when it is not the usual caller. */
  by?(system: System): Client | Promise<Client>;
  /** Each is about a person of its name, who is there before. */
  isAboutPeople?: true;
  request(name: string): Asked;
  /** Asks for the effect. */
  reads?(name: string): Asked;
  /** What is wrong with the effects of so many, whose names are this and a number. */
  judge(system: System, prefix: string, count: number): Promise<string[]>;
  /** Its callers are answered now or never: no worker retries a read, and identity providers ask again by themselves. */
  isNowOrNever?: true;
}

export const namesOf = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}-${n}`);

export const people = (names: readonly string[]): Call => ({
  path: '/users/track/bulk',
  body: { attributes: names.map((name) => ({ ...ext(name), plan: 'free' })) },
});

const off = (what: string, found: number, wanted: number): string[] =>
  found === wanted ? [] : [`${found} ${what}, not ${wanted}`];

/** Documents of a collection in which this begins so. */
const counting =
  (collection: string, field: string, what: string): Work['judge'] =>
  async ({ mongo }, prefix, count) =>
    off(what, await mongo.collection(collection).countDocuments({ [field]: RegExp(`^${prefix}-`) }), count);

/** Identity providers have credentials of their own, and send no idempotency keys. */
const provisioner = ({ client, credentials: { scim } }: System): Client => ({
  ...client,
  async call({ idempotencyKey: _, ...call }) {
    const answer = await client.call({ ...call, headers: { ...call.headers, ...scim } });
    // A user that exists already was made by a try whose answer was lost.
    return answer.status === 409 ? { ...answer, status: 201 } : answer;
  },
});

/** A folder that integrations may read. Nothing is read from it: this is about the integrations themselves. */
const connection = { id: 'exports', kind: 'files', folder: 'exports', format: 'ndjson' };

export const works = {
  track: {
    request: (name) => ({
      path: '/users/track',
      body: { events: [{ ...ext(name), name, time: '2025-06-01T12:00:00Z' }] },
    }),
    async judge({ mongo }, prefix, count) {
      const found = await rowsOf(mongo, 'events', { name: RegExp(`^${prefix}-`) });
      const names = new Set(found.map(({ name }) => name));
      return [...off('different events', names.size, count), ...off('events', found.length, count)];
    },
  },
  identity: {
    isAboutPeople: true,
    request: (name) => ({ path: '/users/external_ids/rename', body: renaming(name, `renamed-${name}`) }),
    async judge(system, prefix, count) {
      const named = (what: string) => counting('profiles', 'external_id', `people have their ${what} id`);
      return [
        ...(await named('new')(system, `renamed-${prefix}`, count)),
        ...(await named('old')(system, prefix, 0)),
      ];
    },
  },
  subscription: {
    isAboutPeople: true,
    request: (name) => ({
      path: '/subscription/status/set',
      body: { subscription_group_id: 'demo-news', subscription_state: 'subscribed', external_id: [name] },
    }),
    async judge({ client }, prefix, count) {
      const readers = namesOf(prefix, count).map((id) => ({ id }));
      const states = [...(await stored(client, readers, 'demo-news')).values()];
      return off('people are subscribed', states.filter((state) => state === 'subscribed').length, count);
    },
  },
  export: {
    isAboutPeople: true,
    request: (name) => ({
      path: '/users/export/ids',
      body: { external_ids: [name], fields_to_export: ['external_id'] },
      shows: name,
    }),
    judge: async () => [],
    isNowOrNever: true,
  },
  scim: {
    by: provisioner,
    request: (name) => ({
      path: '/scim/v2/Users',
      body: {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName: `${name}@example.com`,
        name: { givenName: 'Ada', familyName: 'Kent' },
        emails: [{ primary: true, value: `${name}@example.com`, type: 'work' }],
      },
    }),
    reads: (name) => ({
      path: `/scim/v2/Users?filter=${encodeURIComponent(`userName eq "${name}@example.com"`)}`,
      method: 'GET',
      shows: `${name}@example.com`,
    }),
    judge: counting('dashboard_users', 'userName', 'dashboard users'),
    isNowOrNever: true,
  },
  messaging: {
    request: (name) => ({ path: '/content_blocks/create', body: { name, content: name } }),
    judge: counting('content_blocks', 'name', 'content blocks'),
    isNowOrNever: true,
  },
  integrations: {
    by: (system) => system.newWorkspace('tables', { integrations: { connections: [connection] } }),
    request: (name) => ({
      path: '/cdi/integrations',
      body: { integration_name: name, connection: connection.id, data: 'attributes' },
    }),
    judge: counting('integrations', 'name', 'integrations'),
    isNowOrNever: true,
  },
} satisfies Record<string, Work>;

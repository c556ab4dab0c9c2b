// Load for every service: small conversations, each with an effect of its own that can be counted.
import { type Call, type Client, isAccepted } from '../../harness/client.ts';
import { readLocal } from '../../harness/local.ts';
import { ext, renaming } from '../../harness/sayings.ts';
import type { System } from '../../harness/system.ts';
import { integrationOf, openTables } from '../../harness/tables.ts';
import { stored } from '../consent/judge.ts';
import { news } from '../consent/roads.ts';

/** One request; `shows` must stand in its answer. */
export interface Asked extends Call {
  shows?: string;
  /** Identity providers send no idempotency key. */
  keyless?: true;
  /** It exists already: an earlier try, whose answer was lost, made it. */
  thereAlready?: number;
}

export interface Stream {
  /** Who asks, when it is not the usual caller. */
  by?: Client;
  /** The service that it is about. */
  name: string;
  /** The n-th conversation: each request follows the answer to the one before. */
  conversation(n: number): Asked[];
  /** What is wrong with the effects of the first `count`. */
  judge(system: System, count: number): Promise<string[]>;
}

const person = (id: string): Asked => ({
  path: '/users/track',
  body: { attributes: [{ ...ext(id), plan: 'free' }] },
});

const off = (what: string, found: number, wanted: number): string[] =>
  found === wanted ? [] : [`${found} ${what}, not ${wanted}`];

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}-${n}`);

const identity: Stream = {
  name: 'identity',
  conversation: (n) => [
    person(`before-${n}`),
    { path: '/users/external_ids/rename', body: renaming(`before-${n}`, `after-${n}`) },
  ],
  async judge({ mongo }, count) {
    const profiles = mongo.collection('profiles');
    return [
      ...off('people have their new id', await profiles.countDocuments({ external_id: /^after-/ }), count),
      ...off('people have their old id', await profiles.countDocuments({ external_id: /^before-/ }), 0),
    ];
  },
};

const subscription: Stream = {
  name: 'subscription',
  conversation: (n) => [
    person(`reader-${n}`),
    {
      path: '/subscription/status/set',
      body: { subscription_group_id: news, subscription_state: 'subscribed', external_id: [`reader-${n}`] },
    },
  ],
  async judge({ client }, count) {
    const readers = names('reader', count).map((id) => ({ id, email: '', phone: '' }));
    const states = [...(await stored(client, readers, news)).values()];
    return off('people are subscribed', states.filter((state) => state === 'subscribed').length, count);
  },
};

const reads: Stream = {
  name: 'export',
  conversation: (n) => [
    person(`shown-${n}`),
    {
      path: '/users/export/ids',
      body: { external_ids: [`shown-${n}`], fields_to_export: ['external_id'] },
      shows: `shown-${n}`,
    },
  ],
  judge: async () => [],
};

const scim = ({ dir }: System): Stream => {
  const { scimToken, scimOrigin } = readLocal(dir);
  const headers = { authorization: `Bearer ${scimToken}`, 'x-request-origin': scimOrigin };
  const body = (n: number) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: `user-${n}@example.com`,
    name: { givenName: 'Ada', familyName: 'Kent' },
    emails: [{ primary: true, value: `user-${n}@example.com`, type: 'work' }],
  });
  return {
    name: 'scim',
    conversation: (n) => [
      { path: '/scim/v2/Users', headers, body: body(n), thereAlready: 409, keyless: true },
      {
        path: `/scim/v2/Users?filter=${encodeURIComponent(`userName eq "user-${n}@example.com"`)}`,
        method: 'GET',
        headers,
        shows: `user-${n}@example.com`,
      },
    ],
    async judge({ mongo }, count) {
      return off(
        'dashboard users are there',
        await mongo.collection('dashboard_users').countDocuments(),
        count,
      );
    },
  };
};

const messaging: Stream = {
  name: 'messaging',
  conversation: (n) => [{ path: '/content_blocks/create', body: { name: `block-${n}`, content: 'Hello' } }],
  async judge({ mongo }, count) {
    return off('content blocks', await mongo.collection('content_blocks').countDocuments(), count);
  },
};

/** One integration is renamed and read again. */
const integrations = async (system: System): Promise<Stream> => {
  const by = await openTables(system);
  const made = await by.call({ path: '/cdi/integrations', body: integrationOf('name-0') });
  if (!isAccepted(made)) throw new Error(`an integration was answered ${made.status}: ${made.body}`);
  const path = `/cdi/integrations/${JSON.parse(made.body).integration_id}`;
  return {
    name: 'integrations',
    by,
    conversation: (n) => [
      { path, method: 'PATCH', body: { integration_name: `name-${n}` } },
      { path, method: 'GET', shows: `"name-${n}"` },
    ],
    async judge({ mongo }, count) {
      const name = `name-${Math.max(0, count - 1)}`;
      const found = await mongo.collection('integrations').countDocuments({ name });
      return off(`integrations have the name ${name}`, found, 1);
    },
  };
};

export const streamsOf = async (system: System): Promise<Stream[]> => [
  identity,
  subscription,
  reads,
  messaging,
  scim(system),
  await integrations(system),
];

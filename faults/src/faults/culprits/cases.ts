// Which service meets which culprit, and what its neighbours ask for.
import type { Middleware } from '@roster/client';
import { services } from '@roster/local-stack';
import { type Call, type Client, patientRoster } from '../../harness/client.ts';
import { rowsOf } from '../../harness/rows.ts';
import { renaming } from '../../harness/sayings.ts';
import type { System } from '../../harness/system.ts';
import { integrationOf, openTables } from '../../harness/tables.ts';
import { stored } from '../consent/judge.ts';
import { news } from '../consent/roads.ts';

/** What a culprit does: see mains/parts/culprits.ts. The code is what its dead letter says. */
export const codes = {
  blocks: 'blocked',
  eats: 'out_of_memory',
  lingers: 'transaction_too_long',
  exits: 'exit',
  dies: 'crash',
  throws: 'Error',
} as const;

type Kind = keyof typeof codes;

export interface Stage {
  /** Who asks, when it is not the usual caller. */
  by?(system: System): Client | Promise<Client>;
  /** Each of so many neighbours has a person. */
  before?(count: number): Call;
  /** A request about a person of this name. */
  request(name: string): Call;
  /** What is wrong with the effects on so many neighbours. */
  judge(system: System, count: number): Promise<string[]>;
  /** Its callers are answered now or never: no worker retries a read, and identity providers ask again by themselves. */
  isNowOrNever?: true;
}

export const neighbour = (n: number): string => `good-${n}`;

const neighbours = (count: number): string[] => Array.from({ length: count }, (_, n) => neighbour(n));

const off = (what: string, found: number, wanted: number): string[] =>
  found === wanted ? [] : [`${found} ${what}, not ${wanted}`];

const people = (count: number): Call => ({
  path: '/users/track/bulk',
  body: { attributes: neighbours(count).map((external_id) => ({ external_id, plan: 'free' })) },
});

/** A user that exists already was made by a try whose answer was lost. */
const createdBefore: Middleware = async (_, next) => {
  const answer = await next();
  return answer.status === 409 ? new Response(answer.body, { status: 201, headers: answer.headers }) : answer;
};

/** Identity providers have credentials of their own. */
const provisioner = ({ baseUrl, client, credentials: { scim } }: System): Client => ({
  ...client,
  call: (call) => client.call({ ...call, headers: { ...call.headers, ...scim } }),
  roster: patientRoster({
    url: baseUrl,
    scim: { token: scim.authorization.replace('Bearer ', ''), origin: scim['x-request-origin'] },
    use: [createdBefore],
  }),
});

export const stages = {
  track: {
    request: (name) => ({
      path: '/users/track',
      body: { events: [{ external_id: name, name, time: '2025-06-01T12:00:00Z' }] },
    }),
    async judge({ mongo }, count) {
      const good = await rowsOf(mongo, 'events', { name: /^good-/ });
      const names = new Set(good.map(({ name }) => name));
      return [...off('different events', names.size, count), ...off('events', good.length, count)];
    },
  },
  identity: {
    before: people,
    request: (name) => ({ path: '/users/external_ids/rename', body: renaming(name, `renamed-${name}`) }),
    async judge({ mongo }, count) {
      const renamed = { external_id: /^renamed-good-/ };
      return off('people are renamed', await mongo.collection('profiles').countDocuments(renamed), count);
    },
  },
  subscription: {
    before: people,
    request: (name) => ({
      path: '/subscription/status/set',
      body: { subscription_group_id: news, subscription_state: 'subscribed', external_id: [name] },
    }),
    async judge({ client }, count) {
      const readers = neighbours(count).map((id) => ({ id, email: '', phone: '' }));
      const states = [...(await stored(client, readers, news)).values()];
      return off('people are subscribed', states.filter((state) => state === 'subscribed').length, count);
    },
  },
  export: {
    before: people,
    request: (name) => ({
      path: '/users/export/ids',
      body: { external_ids: [name], fields_to_export: ['external_id'] },
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
    async judge({ mongo }, count) {
      const made = { userName: /^good-/ };
      return off('dashboard users', await mongo.collection('dashboard_users').countDocuments(made), count);
    },
    isNowOrNever: true,
  },
  messaging: {
    request: (name) => ({ path: '/content_blocks/create', body: { name, content: name } }),
    async judge({ mongo }, count) {
      const made = { name: /^good-/ };
      return off('content blocks', await mongo.collection('content_blocks').countDocuments(made), count);
    },
    isNowOrNever: true,
  },
  integrations: {
    by: openTables,
    request: (name) => ({ path: '/cdi/integrations', body: integrationOf(name) }),
    async judge({ mongo }, count) {
      const made = { name: /^good-/ };
      return off('integrations', await mongo.collection('integrations').countDocuments(made), count);
    },
    isNowOrNever: true,
  },
} satisfies Record<string, Stage>;

type Service = keyof typeof stages;

export interface Case {
  service: Service;
  kind: Kind;
}

const of = (kind: Kind, ...services: Service[]): Case[] => services.map((service) => ({ service, kind }));

/** Those that work requests off, in the order of the stack. */
const everywhere = services.filter((service): service is Service => service in stages);

/**
 * A system for each round: a service meets one culprit in it, because a process that dies often is started again more and more slowly. Each kind and
 * each service once; the longest first.
 */
export const quickRounds: Case[][] = [
  [...of('blocks', 'subscription'), ...of('exits', 'identity')],
  [...of('dies', 'track'), ...of('exits', 'scim', 'integrations')],
  [...of('eats', 'track'), ...of('blocks', 'export')],
  [...of('lingers', 'track'), ...of('throws', 'identity')],
];

export const allRounds: Case[][] = [
  of('blocks', ...everywhere),
  of('eats', ...everywhere),
  of('lingers', 'track', 'identity', 'subscription'),
  of('exits', ...everywhere),
  of('dies', ...everywhere),
  of('throws', 'track', 'identity', 'subscription'),
];

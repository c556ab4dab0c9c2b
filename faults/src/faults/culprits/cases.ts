// Which service meets which culprit, and what its neighbours ask for.
import type { Call } from '../../harness/client.ts';
import { renaming } from '../../harness/sayings.ts';
import type { System } from '../../harness/system.ts';
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

export type Kind = keyof typeof codes;

export interface Stage {
  /** Somebody is there for each of so many neighbours. */
  before?(count: number): Call;
  /** A request about somebody of this name. */
  request(name: string): Call;
  /** What is wrong with the effects on so many neighbours. */
  judge(system: System, count: number): Promise<string[]>;
  /** A read answers now or never: nobody retries it later. */
  isRead?: true;
}

export const neighbour = (n: number): string => `good-${n}`;

const neighbours = (count: number): string[] => Array.from({ length: count }, (_, n) => neighbour(n));

const off = (what: string, found: number, wanted: number): string[] =>
  found === wanted ? [] : [`${found} ${what}, not ${wanted}`];

const people = (count: number): Call => ({
  path: '/users/track/bulk',
  body: { attributes: neighbours(count).map((external_id) => ({ external_id, plan: 'free' })) },
});

export const stages = {
  track: {
    request: (name) => ({
      path: '/users/track',
      body: { events: [{ external_id: name, name, time: '2025-06-01T12:00:00Z' }] },
    }),
    async judge({ mongo }, count) {
      const events = mongo.collection('events');
      const names = await events.distinct('name', { name: /^good-/ });
      return [
        ...off('different events', names.length, count),
        ...off('events', await events.countDocuments({ name: /^good-/ }), count),
      ];
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
    isRead: true,
  },
} satisfies Record<string, Stage>;

export type Service = keyof typeof stages;

export interface Case {
  service: Service;
  kind: Kind;
}

const of = (kind: Kind, ...services: Service[]): Case[] => services.map((service) => ({ service, kind }));

const everywhere: Service[] = ['track', 'identity', 'subscription', 'export'];

/** A system for each round: a service meets one culprit in it, because whoever dies often is started again more and more slowly. Each kind and each service once. */
export const quickRounds: Case[][] = [
  [...of('blocks', 'subscription'), ...of('exits', 'identity')],
  [...of('eats', 'track'), ...of('blocks', 'export')],
  [...of('lingers', 'track'), ...of('throws', 'identity')],
  of('dies', 'track'),
];

export const allRounds: Case[][] = [
  of('blocks', ...everywhere),
  of('eats', ...everywhere),
  of('lingers', 'track', 'identity', 'subscription'),
  of('exits', ...everywhere),
  of('dies', ...everywhere),
  of('throws', 'track', 'identity', 'subscription'),
];

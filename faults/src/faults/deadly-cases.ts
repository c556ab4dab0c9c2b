// Which service meets which culprit.
import { services } from '@roster/local-stack';
import { works } from './works.ts';

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

type Service = keyof typeof works;

export interface Case {
  service: Service;
  kind: Kind;
}

const of = (kind: Kind, ...services: Service[]): Case[] => services.map((service) => ({ service, kind }));

/** Those that work requests off, in the order of the stack. */
const everywhere = services.filter((service): service is Service => service in works);

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

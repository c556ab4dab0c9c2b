// The known ways in which a service without bounds is expensive, to itself or to others. A search that is any good finds each of them.
import type { Genome } from './genome.ts';
import { brokenBars, type Cost, type Strain, strainsOf } from './judge.ts';
import { roads } from './roads.ts';

export interface Measured {
  genome: Genome;
  cost: Cost;
}

const workers = ['track', 'identity', 'subscription'];
const smallBytes = 64 * 1024;

interface Weakness {
  name: string;
  shows(measured: Measured, strain: Strain): boolean;
}

const isWork = ({ bar }: Strain): boolean => ['cpu', 'block', 'memory', 'death', 'rest'].includes(bar);

const ofOneRequest: readonly Weakness[] = [
  {
    name: 'a worker computes for long',
    shows: ({ genome, cost }, strain) =>
      cost.isTakenIn && !genome.before && isWork(strain) && workers.includes(strain.process),
  },
  {
    name: 'a small request loads much',
    shows: ({ genome, cost }, strain) =>
      Boolean(genome.before) && cost.bytes < smallBytes && isWork(strain) && workers.includes(strain.process),
  },
  {
    name: 'a small request leaves much in Redis',
    shows: ({ cost }, { bar }) => bar === 'kept' && cost.bytes < smallBytes,
  },
  {
    name: 'a refusal is expensive',
    shows: (_, { bar, process }) => bar === 'refusal' && process === 'ingress',
  },
  {
    name: 'bodies fill the memory of the ingress',
    shows: (_, { bar, process }) => process === 'ingress' && (bar === 'memory' || bar === 'death'),
  },
  { name: 'SCIM computes for long', shows: (_, strain) => isWork(strain) && strain.process === 'scim' },
];

const ofRoads = roads.map(
  ({ name, weakness, bars }): Weakness => ({
    name: weakness,
    shows: ({ genome }, { bar }) => genome.road === name && bars.includes(bar),
  }),
);

export const weaknesses: readonly Weakness[] = [...ofOneRequest, ...ofRoads];

/** Their numbers, from 1. */
export const numbersOf = {
  oneRequest: ofOneRequest.map((_, i) => i + 1),
  road: (name: string): number[] => [ofOneRequest.length + 1 + roads.findIndex((road) => road.name === name)],
};

/** The numbers, from 1, of the weaknesses that a measured request shows. */
export const weaknessesOf = (measured: Measured): number[] => {
  const strains = brokenBars(measured.cost);
  return weaknesses.flatMap(({ shows }, i) =>
    strains.some((strain) => shows(measured, strain)) ? [i + 1] : [],
  );
};

/** How near a request comes to a weakness, by its number; above 1 it shows it. */
export const shareOf = ({ genome, cost }: Measured, number: number): number =>
  strainsOf(cost).find((strain) => weaknesses[number - 1]?.shows({ genome, cost }, strain))?.share ?? 0;

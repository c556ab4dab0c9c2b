// The search itself: seeds first, then small changes of what was most expensive so far.
import type { Dice } from '../harness/dice.ts';
import { type Genome, isSendable } from './genome.ts';
import { isRefused, worstShare } from './judge.ts';
import { sizeOf } from './knobs.ts';
import { mutate } from './mutate.ts';
import type { Measured } from './weaknesses.ts';

export interface Budget {
  /** Measurements after the seeds. */
  steps: number;
  /** True when there is no time for more. */
  isOver(): boolean;
}

export const keptGenomes = 10;

/** Shares that differ by less are noise on a road of messaging. */
const stepsOfShare = 4;

/**
 * How much a request promises, by its share of a bar; nothing when it was refused. On a road of messaging most of what is expensive costs nothing until it is
 * large: of requests with about the same share, the larger one promises more.
 */
export const promiseOf = ({ genome, cost }: Measured, share: number): number => {
  if (genome.road === undefined) return share;
  return isRefused(cost) ? 0 : 1 + Math.floor(share * stepsOfShare) * 1_000 + sizeOf(genome);
};

/** Mostly one of the three worst, sometimes any of the ten. Where what is large is refused, the search begins again from time to time. */
const parentOf = (worst: readonly Measured[], seeds: readonly Genome[], dice: Dice): Genome | undefined => {
  const seed = seeds[dice.below(seeds.length)];
  if (seed?.road !== undefined && dice.below(3) === 0) return seed;
  return worst[dice.below(Math.min(worst.length, dice.below(3) === 0 ? keptGenomes : 3))]?.genome;
};

export const childOf = (
  worst: readonly Measured[],
  seeds: readonly Genome[],
  dice: Dice,
): Genome | undefined => {
  const parent = parentOf(worst, seeds, dice);
  for (let tries = 0; parent && tries < 10; tries++) {
    const child = mutate(parent, dice);
    if (isSendable(child)) return child;
  }
  return undefined;
};

/** The ten worst requests, the worst first. */
export const climb = async (options: {
  seeds: readonly Genome[];
  dice: Dice;
  budget: Budget;
  measure(genome: Genome): Promise<Measured>;
}): Promise<Measured[]> => {
  const { seeds, dice, budget, measure } = options;
  const promise = (one: Measured): number => promiseOf(one, worstShare(one.cost));
  let worst: Measured[] = [];
  const tryOne = async (genome: Genome): Promise<void> => {
    const all = [...worst, await measure(genome)];
    worst = all.toSorted((a, b) => promise(b) - promise(a)).slice(0, keptGenomes);
  };
  for (const seed of seeds) if (!budget.isOver()) await tryOne(seed);
  for (let step = 0; step < budget.steps && !budget.isOver(); step++) {
    const child = childOf(worst, seeds, dice);
    if (child) await tryOne(child);
  }
  return worst;
};

// The search itself: seeds first, then small changes of what was most expensive so far.
import type { Dice } from '../harness/dice.ts';
import { type Genome, isSendable } from './genome.ts';
import { worstShare } from './judge.ts';
import { mutate } from './mutate.ts';
import type { Measured } from './weaknesses.ts';

export interface Budget {
  /** Measurements after the seeds. */
  steps: number;
  /** True when there is no time for more. */
  isOver(): boolean;
}

export const keptGenomes = 10;

/** Mostly one of the three worst, sometimes any of the ten. */
const parentOf = (worst: readonly Measured[], dice: Dice): Genome | undefined =>
  worst[dice.below(Math.min(worst.length, dice.below(3) === 0 ? keptGenomes : 3))]?.genome;

export const childOf = (worst: readonly Measured[], dice: Dice): Genome | undefined => {
  const parent = parentOf(worst, dice);
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
  let worst: Measured[] = [];
  const tryOne = async (genome: Genome): Promise<void> => {
    const all = [...worst, await measure(genome)];
    worst = all.toSorted((a, b) => worstShare(b.cost) - worstShare(a.cost)).slice(0, keptGenomes);
  };
  for (const seed of seeds) if (!budget.isOver()) await tryOne(seed);
  for (let step = 0; step < budget.steps && !budget.isOver(); step++) {
    const child = childOf(worst, dice);
    if (child) await tryOne(child);
  }
  return worst;
};

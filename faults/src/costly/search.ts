// How the search goes on: with small changes of what promised most so far.
import { type Dice, pick } from '../harness/dice.ts';
import { type Genome, isSendable } from './genome.ts';
import { isRefused } from './judge.ts';
import { sizeOf } from './knobs.ts';
import { mutate } from './mutate.ts';
import type { Measured } from './weaknesses.ts';

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
  const seed = pick(dice, seeds);
  if (seed.road !== undefined && dice.below(3) === 0) return seed;
  return worst[dice.below(Math.min(worst.length, dice.below(3) === 0 ? keptGenomes : 3))]?.genome;
};

/** Any seed where nothing promises anything. */
export const childOf = (worst: readonly Measured[], seeds: readonly Genome[], dice: Dice): Genome => {
  const parent = parentOf(worst, seeds, dice);
  for (let tries = 0; parent && tries < 10; tries++) {
    const child = mutate(parent, dice);
    if (isSendable(child)) return child;
  }
  return pick(dice, seeds);
};

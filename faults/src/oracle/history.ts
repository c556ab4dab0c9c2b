/** Random histories: a few people, two labels of aliases, operations in phases, all of it from a seed. */
import type { Dice } from '../harness/dice.ts';
import type { AliasRef, Operation, Ref } from './model.ts';

/** Operations of a phase are sent at the same moment; the next phase begins when all of them were answered. */
export interface History {
  seed: number;
  phases: Sent[][];
}

export interface Sent {
  operation: Operation;
  /** For a merge, which is answered before it is applied unless the caller wants to wait. */
  wait: boolean;
}

export const externalIds = ['p0', 'p1', 'p2'] as const;
export const renamedIds = ['q0', 'q1', 'q2'] as const;
export const aliases: readonly AliasRef[] = [
  { label: 'mail', name: 'a' },
  { label: 'mail', name: 'b' },
  { label: 'web', name: 'c' },
];

const one = <T>(dice: Dice, of: readonly T[]): T => of[dice.below(of.length)] as T;
const often = (dice: Dice, timesInTen: number): boolean => dice.below(10) < timesInTen;
const anybody = (dice: Dice): Ref =>
  often(dice, 7) ? { ext: one(dice, externalIds) } : { alias: one(dice, aliases) };

type Make = (dice: Dice, token: string) => Operation;

/** How often each is drawn, of all together. */
const makers: readonly [weight: number, make: Make][] = [
  [8, (dice, token) => ({ do: 'track', who: anybody(dice), token, create: often(dice, 5) })],
  [
    3,
    (dice) => ({
      do: 'alias-new',
      alias: one(dice, aliases),
      ...(often(dice, 6) && { ext: one(dice, externalIds) }),
    }),
  ],
  [
    2,
    (dice) => ({
      do: 'alias-update',
      label: 'mail',
      ...one(dice, [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'a' },
      ]),
    }),
  ],
  [
    3,
    (dice) => ({
      do: 'identify',
      ext: one(dice, externalIds),
      alias: one(dice, aliases),
      merge: often(dice, 6),
    }),
  ],
  [4, (dice) => ({ do: 'merge', from: anybody(dice), into: anybody(dice) })],
  [2, (dice) => ({ do: 'delete', who: anybody(dice) })],
  [
    1,
    (dice) => {
      const i = dice.below(externalIds.length);
      return { do: 'rename', from: externalIds[i] ?? 'p0', to: renamedIds[i] ?? 'q0' };
    },
  ],
];

const weights = makers.reduce((sum, [weight]) => sum + weight, 0);

const drawn = (dice: Dice, token: string): Operation => {
  let rest = dice.below(weights);
  for (const [weight, make] of makers) {
    if (rest < weight) return make(dice, token);
    rest -= weight;
  }
  throw new Error('the weights do not add up');
};

/** The first phase only tracks, so that there is somebody to talk about. */
export const makeHistory = (dice: Dice, seed: number): History => {
  let tokens = 0;
  const token = () => `t${tokens++}`;
  const beginning = externalIds
    .filter(() => often(dice, 8))
    .map((ext): Operation => ({ do: 'track', who: { ext }, token: token(), create: true }));
  const phase = (): Operation[] => Array.from({ length: 3 + dice.below(2) }, () => drawn(dice, token()));
  const phases = [beginning, phase(), phase()].filter((operations) => operations.length > 0);
  return {
    seed,
    phases: phases.map((operations) => operations.map((operation) => ({ operation, wait: often(dice, 5) }))),
  };
};

// The search: seeds first, then children of what comes nearest to an aim. Without bounds the aims are the weaknesses that it has not seen yet.
import type { Dice } from '../harness/dice.ts';
import type { Genome } from './genome.ts';
import { worstShare } from './judge.ts';
import { childOf, keptGenomes, promiseOf } from './search.ts';
import { type Measured, shareOf, weaknessesOf } from './weaknesses.ts';

export interface Search {
  /** In this order. */
  seeds: readonly Genome[];
  dice: Dice;
  measure(genome: Genome): Promise<Measured>;
  isOver(): boolean;
}

/** Gives the requests that come nearest to each aim, the nearest first. `left`: the aims that it goes on with, in turn. */
const explore = async <Aim>(
  { seeds, dice, measure, isOver }: Search,
  left: () => readonly Aim[],
  share: (one: Measured, aim: Aim) => number,
): Promise<Map<Aim, Measured[]>> => {
  const nearest = new Map<Aim, Measured[]>(left().map((aim) => [aim, []]));
  const isDone = (): boolean => left().length === 0 || isOver();
  const tryOne = async (genome: Genome): Promise<void> => {
    const one = await measure(genome);
    for (const [aim, before] of nearest) {
      const promise = (some: Measured): number => promiseOf(some, share(some, aim));
      nearest.set(aim, [...before, one].toSorted((a, b) => promise(b) - promise(a)).slice(0, keptGenomes));
    }
  };
  const next = (step: number): Genome => {
    const aims = left();
    const aim = aims[step % aims.length] as Aim;
    const near = (nearest.get(aim) ?? []).filter((one) => promiseOf(one, share(one, aim)) > 0);
    return childOf(near, seeds, dice);
  };
  // All seeds first: what takes long without bounds has very long children.
  for (const seed of seeds) if (!isDone()) await tryOne(seed);
  for (let step = 0; !isDone(); step++) await tryOne(next(step));
  return nearest;
};

/** The ten worst requests, the worst first. */
export const climb = async (search: Search): Promise<Measured[]> => {
  const aims = ['any bar'];
  const nearest = await explore(
    search,
    () => aims,
    ({ cost }) => worstShare(cost),
  );
  return nearest.get('any bar') ?? [];
};

export interface Hunt extends Search {
  /** Of the weaknesses that are looked for. */
  numbers: readonly number[];
  /** Measured again, as often as it takes to be sure. */
  confirm(measured: Measured): Promise<Measured>;
  onSeen?(measured: Measured, numbers: readonly number[]): void;
}

/** The requests that showed each weakness first. */
export const hunt = async ({ numbers, confirm, onSeen, ...search }: Hunt): Promise<Measured[]> => {
  const seen = new Set<number>();
  const showing: Measured[] = [];
  const unseen = (some: readonly number[]): number[] =>
    some.filter((number) => numbers.includes(number) && !seen.has(number));
  const measure = async (genome: Genome): Promise<Measured> => {
    const first = await search.measure(genome);
    const one = unseen(weaknessesOf(first)).length > 0 ? await confirm(first) : first;
    const shown = unseen(weaknessesOf(one));
    if (shown.length === 0) return one;
    for (const number of shown) seen.add(number);
    showing.push(one);
    onSeen?.(one, shown);
    return one;
  };
  await explore({ ...search, measure }, () => unseen(numbers), shareOf);
  return showing;
};

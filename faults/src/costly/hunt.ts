// The search without bounds: it goes on with whatever comes nearest to a weakness that it has not seen yet.
import type { Dice } from '../harness/dice.ts';
import type { Genome } from './genome.ts';
import { childOf, keptGenomes, promiseOf } from './search.ts';
import { type Measured, shareOf, weaknessesOf } from './weaknesses.ts';

/** For each weakness the requests that come nearest to it, the nearest first. */
const createNearest = (numbers: readonly number[]) => {
  const nearest = new Map<number, Measured[]>(numbers.map((number) => [number, []]));
  return {
    of: (number: number): readonly Measured[] => nearest.get(number) ?? [],
    note(one: Measured): void {
      for (const [number, before] of nearest) {
        const promise = (some: Measured): number => promiseOf(some, shareOf(some, number));
        const all = [...before, one].filter((some) => promise(some) > 0);
        nearest.set(number, all.toSorted((a, b) => promise(b) - promise(a)).slice(0, keptGenomes));
      }
    },
  };
};

export interface Hunt {
  /** Of the weaknesses that are looked for. */
  numbers: readonly number[];
  /** In this order. */
  seeds: readonly Genome[];
  dice: Dice;
  measure(genome: Genome): Promise<Measured>;
  /** Measured again, as often as it takes to be sure. */
  confirm(measured: Measured): Promise<Measured>;
  isOver(): boolean;
  onSeen?(measured: Measured, numbers: readonly number[]): void;
}

/** The requests that showed each weakness first. */
export const hunt = async ({
  numbers,
  seeds,
  dice,
  measure,
  confirm,
  isOver,
  onSeen,
}: Hunt): Promise<Measured[]> => {
  const nearest = createNearest(numbers);
  const seen = new Set<number>();
  const showing: Measured[] = [];
  const unseen = (some: readonly number[]): number[] =>
    some.filter((number) => numbers.includes(number) && !seen.has(number));
  const isDone = (): boolean => seen.size === numbers.length || isOver();

  const tryOne = async (genome: Genome): Promise<void> => {
    const first = await measure(genome);
    const one = unseen(weaknessesOf(first)).length > 0 ? await confirm(first) : first;
    nearest.note(one);
    const shown = unseen(weaknessesOf(one));
    if (shown.length === 0) return;
    for (const number of shown) seen.add(number);
    showing.push(one);
    onSeen?.(one, shown);
  };

  const anySeed = (): Genome => seeds[dice.below(seeds.length)] as Genome;

  /** One weakness after the other, each from one of its nearest three. */
  const next = (step: number): Genome | undefined => {
    const left = unseen(numbers);
    return childOf(nearest.of(left[step % left.length] ?? 0), seeds, dice);
  };

  // All seeds first: what takes long without bounds has very long children.
  for (const seed of seeds) if (!isDone()) await tryOne(seed);
  for (let step = 0; !isDone(); step++) await tryOne(next(step) ?? anySeed());
  return showing;
};

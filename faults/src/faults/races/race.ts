import type { Caller } from '../../harness/caller.ts';
import type { People } from '../../harness/people.ts';

/** Something that must come out right however it is interleaved, played again and again with new people. */
export interface Race {
  name: string;
  /** Of those that send many requests a round. */
  mostRounds?: number;
  /** Of those that send few, and come out right by chance: so many even in a quick trial. */
  leastRounds?: number;
  /** The names of all people contain `round`; throws only when a request is refused. */
  play(caller: Caller, round: string, n: number): Promise<void>;
  /** What is wrong with what is stored afterwards. */
  check(people: People, round: string, n: number): string[];
}

/** The numbers below `count`. */
export const below = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

export const isSame = (found: readonly string[], wanted: readonly string[]): boolean =>
  [...found].sort().join() === [...wanted].sort().join();

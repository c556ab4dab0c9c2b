/** Whether some legal order of the operations ends in what was seen. */
import { apply, type Operation } from './model.ts';
import { ranked } from './ranks.ts';
import type { Person, Ref, State } from './state.ts';
import { tokensIn, writtenAll } from './written.ts';

export interface Step {
  operation: Operation;
  /** Places of the steps that were answered before this one was sent. */
  after: readonly number[];
  /** It was never answered, so it may have happened or not. */
  perhaps: boolean;
}

export interface Seen {
  /** The names that were asked for. */
  asked: readonly Ref[];
  /** All people found, in the words of the model. */
  people: string;
}

const mostStates = 200_000;

/** Where each token is. People are merged and deleted, never divided: what one person has is in one place at the end, or nowhere. */
const homesIn = (people: string): Map<string, number> =>
  new Map(
    people
      .split('\n')
      .flatMap((one, place) => (one === '' ? [] : tokensIn(one).map((token) => [token, place] as const))),
  );

interface Options {
  /** Any of the people who share a contact may have been changed last (docs/adr/order.md). Without it, the order of the effects says that, too. */
  openRanks?: boolean;
}

/**
 * Depth first over what is left, never twice through the same state with the same rest. `order`: the one that was found, as places.
 * `states`: how many pairs of done steps and state were looked at.
 */
export const explain = (
  initial: State,
  steps: readonly Step[],
  { asked, people }: Seen,
  { openRanks = false }: Options = {},
) => {
  const visited = new Set<string>();
  const bits = steps.map((_, place) => 1n << BigInt(place));
  const maskOf = (places: readonly number[]) =>
    places.reduce((mask, place) => mask | (bits[place] ?? 0n), 0n);
  const needs = steps.map(({ after }) => maskOf(after));
  const all = maskOf([...steps.keys()]);
  /** Its colour is the one that stayed: where many track one person at once, the search would find that last of all. */
  const hasLastWord = (place: number): number => {
    const operation = steps[place]?.operation;
    return Number(operation?.do === 'track' && people.includes(`],"${operation.token}",`));
  };
  const likeliest = [...steps.keys()].sort((a, b) => hasLastWord(a) - hasLastWord(b));

  const nextOf = (state: State, place: number): State[] => {
    const { operation, perhaps } = steps[place] as Step;
    const next = (openRanks ? ranked(state, operation) : [state]).map((one) => apply(one, operation));
    return perhaps ? [...next, state] : next;
  };

  /** Where ranks are open, the order of the people says nothing. */
  const keyOf = (done: bigint, { people: some, ...state }: State): string => {
    const texts = some.map((person) => JSON.stringify(person));
    return `${done}:${JSON.stringify([state, openRanks ? texts.sort() : texts])}`;
  };

  const homes = homesIn(people);
  const isLost = ({ tokens }: Person): boolean => new Set(tokens.map((token) => homes.get(token))).size > 1;

  const search = (done: bigint, state: State, order: number[]): number[] | undefined => {
    if (done === all) return writtenAll(state, asked) === people ? order : undefined;
    if (state.people.some(isLost)) return undefined;
    const key = keyOf(done, state);
    if (visited.has(key) || visited.size >= mostStates) return undefined;
    visited.add(key);
    for (const place of likeliest) {
      const [bit = 0n, need = 0n] = [bits[place], needs[place]];
      if ((done & bit) !== 0n || (done & need) !== need) continue;
      for (const next of nextOf(state, place)) {
        const found = search(done | bit, next, [...order, place]);
        if (found) return found;
      }
    }
    return undefined;
  };

  return { order: search(0n, initial, []), states: visited.size };
};

/** Who was changed last, where requests that change people are under way at the same time: among these it is open. */
import type { Person, State } from './state.ts';

interface Changed {
  /** The place among the people of the beginning. */
  from: number;
  /** The places of the steps that changed the person. */
  by: readonly number[];
}

export type Changes = ReadonlyMap<Person, Changed>;

export const noChanges = ({ people }: State): Changes =>
  new Map(people.map((person, from) => [person, { from, by: [] }]));

/** The places of the steps that were answered before the step of a place was sent. */
type Before = (place: number) => readonly number[];

const beginning = -1;

/** Those of whom a changed person is the next state: of two who were merged, the kept one. */
const formerOf = ({ svc, ext }: Person, gone: readonly Person[]): readonly Person[] => {
  const same = gone.filter((one) => one.svc === svc && one.ext === ext);
  return same.length > 0 ? same : gone;
};

/** People are never changed in place, so people who are new are changed, and have the changes of their former states. */
const changesAfter = (changes: Changes, before: State, after: State, place: number): Changes => {
  const gone = before.people.filter((person) => !after.people.includes(person));
  const changedTo = (person: Person): Changed => {
    const inherited = formerOf(person, gone).flatMap((one) => changes.get(one) ?? []);
    return {
      from: Math.max(beginning, ...inherited.map(({ from }) => from)),
      by: [...new Set(inherited.flatMap(({ by }) => by)), place],
    };
  };
  return new Map(after.people.map((person) => [person, changes.get(person) ?? changedTo(person)]));
};

/** The changes that may count as the last one for the step of a place: what is under way beside it counts or not. */
const lastChanges = (changes: readonly number[], answered: ReadonlySet<number>): number[] => {
  const lasts: number[] = [];
  for (const change of changes.toReversed()) {
    lasts.push(change);
    if (answered.has(change)) return lasts;
  }
  return [...lasts, beginning];
};

const choicesOf = (options: readonly number[][]): number[][] =>
  options.reduce<number[][]>((all, some) => all.flatMap((one) => some.map((next) => [...one, next])), [[]]);

/** All orders in which nobody comes before one who has to come first. */
const ordersOf = (
  places: readonly number[],
  isFirst: (one: number, other: number) => boolean,
): number[][] => {
  if (places.length === 0) return [[]];
  const next = places.filter((one) => !places.some((other) => other !== one && isFirst(other, one)));
  return next.flatMap((one) => {
    const rest = places.filter((other) => other !== one);
    return ordersOf(rest, isFirst).map((order) => [one, ...order]);
  });
};

/** The orders of the people, the last changed one last, that the step of a place may go by. */
const rankings = ({ people }: State, changes: Changes, place: number, before: Before): Person[][] => {
  const answered = new Set(before(place));
  const known = people.map((person) => changes.get(person) ?? { from: beginning, by: [] });
  const options = known.map(({ by }) => lastChanges(by, answered));
  const found = new Map<string, Person[]>();
  for (const lasts of choicesOf(options)) {
    const isFirst = (one: number, other: number): boolean => {
      const [a = beginning, b = beginning] = [lasts[one], lasts[other]];
      if (a === beginning && b === beginning) return (known[one]?.from ?? 0) < (known[other]?.from ?? 0);
      if (a === b) return one < other;
      return a === beginning || (b !== beginning && before(b).includes(a));
    };
    for (const order of ordersOf([...people.keys()], isFirst))
      found.set(
        order.join(' '),
        order.flatMap((at) => people[at] ?? []),
      );
  }
  return [...found.values()];
};

interface Taken {
  place: number;
  before: Before;
  /** The operation of the step. */
  take(state: State): State;
}

/** The states after a step, by every rank that it may go by. Whoever it leaves alone keeps the place among the people. */
export const ranked = (state: State, changes: Changes, { place, before, take }: Taken): [State, Changes][] =>
  rankings(state, changes, place, before).map((people) => {
    const after = take({ ...state, people });
    const kept = state.people.filter((person) => after.people.includes(person));
    const changed = after.people.filter((person) => !kept.includes(person));
    return [{ ...after, people: [...kept, ...changed] }, changesAfter(changes, state, after, place)];
  });

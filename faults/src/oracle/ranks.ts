/**
 * Who was changed last is judged when a request is applied, and requests that were accepted after it may be applied before it, or those
 * before it after it. So of people who share a contact any may be the one who was changed last.
 */
import type { Operation } from './model.ts';
import { allBy, type Person, type Ref, type State } from './state.ts';

export const namedIn = (operation: Operation): Ref[] => {
  switch (operation.do) {
    case 'track':
      return [operation.who];
    case 'identify':
      return [operation.visitor.who];
    case 'merge':
      return [operation.from.who, operation.into.who];
    case 'delete':
      return [operation.named.who];
    default:
      return [];
  }
};

const ordersOf = (people: readonly Person[]): Person[][] =>
  people.length === 0
    ? [[]]
    : people.flatMap((one) =>
        ordersOf(people.filter((other) => other !== one)).map((rest) => [one, ...rest]),
      );

/** The state by every order of the changes of those among whom the operation chooses. */
export const ranked = (state: State, operation: Operation): State[] => {
  const shared = namedIn(operation)
    .map((who) => allBy(state, who))
    .filter(({ length }) => length > 1);
  const sharers = new Set(shared.flat());
  const others = state.people.filter((person) => !sharers.has(person));
  return ordersOf([...sharers]).map((some) => ({ ...state, people: [...others, ...some] }));
};

/**
 * Contested people: transactions collide over them, because many requests are about them at once. These requests get transactions of
 * their own, one at a time in each worker, so that no other requests wait for their retries.
 */
import { type AcceptedRequest, peopleNamed } from '@roster/contract';
import { keysNamed } from '@roster/profile';
import { changingLists } from './operations.ts';

const forgottenAfterMs = 3000;
const mostPeople = 10_000;

/** The people that the request changes, by the identifiers in it. */
const peopleIn = (request: AcceptedRequest): Set<string> => {
  const { ws, op, body } = request;
  return new Set(keysNamed(ws, peopleNamed(op, body, changingLists(request))));
};

/** MongoDB does not say over which person two transactions collided: most likely one that several requests name. */
const suspectsIn = (batch: readonly AcceptedRequest[]): string[] => {
  const counts = new Map<string, number>();
  for (const request of batch) {
    for (const person of peopleIn(request)) counts.set(person, (counts.get(person) ?? 0) + 1);
  }
  const least = batch.length > 1 ? 2 : 1;
  return [...counts].filter(([, count]) => count >= least).map(([person]) => person);
};

export const createContested = (now: () => number = () => performance.now()) => {
  /** The people that are forgotten first come first. */
  const until = new Map<string, number>();

  const forget = (): void => {
    for (const [person, end] of until) {
      if (end >= now()) return;
      until.delete(person);
    }
  };

  return {
    /** The requests of a transaction that met a conflict. */
    note(batch: readonly AcceptedRequest[]): void {
      forget();
      if (until.size > mostPeople) return;
      for (const person of suspectsIn(batch)) {
        until.delete(person);
        until.set(person, now() + forgottenAfterMs);
      }
    },
    has(request: AcceptedRequest): boolean {
      forget();
      return until.size > 0 && [...peopleIn(request)].some((person) => until.has(person));
    },
  };
};

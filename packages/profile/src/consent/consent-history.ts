/** All changes of the state of a person or a contact. They are the steps that lead to the state, so there is no gap. */

import type { Consent, ConsentState, Stamp } from '../profile.ts';
import { countingIn } from './consent.ts';
import {
  type Consenting,
  type ContactConsents,
  type CountedStatement,
  registersOf,
  turnsOf,
} from './consent-states.ts';

export interface ConsentChange {
  k: string;
  from: ConsentState | null;
  to: ConsentState | null;
  at: Stamp;
  /** The place among changes with the same stamp. */
  n: number;
  /** The operation of the statement. A change with the contact has none. */
  op?: string;
}

type ConsentPlace = Pick<ConsentChange, 'at' | 'n' | 'k'>;

const changeOf = (k: string, from: ConsentState | null, { moment, said, isOlder }: CountedStatement) => ({
  k,
  from,
  to: said.v,
  at: moment,
  n: said.n ?? 0,
  ...(said.op !== undefined && !isOlder && said.from === undefined && { op: said.op }),
});

const changesIn = (k: string, turns: readonly CountedStatement[]): ConsentChange[] => {
  let from: ConsentState | null = null;
  return turns.flatMap((turn) => {
    const change = changeOf(k, from, turn);
    from = change.to;
    return change.from === change.to ? [] : [change];
  });
};

/** Among equals by the register. */
export const newestFirst = (a: ConsentPlace, b: ConsentPlace): number =>
  b.at - a.at || b.n - a.n || (a.k < b.k ? -1 : Number(a.k > b.k));

/** All changes of the state of a person, newest first. */
export const consentHistory = (person: Consenting, contacts: ContactConsents): ConsentChange[] =>
  [...registersOf(person, contacts)]
    .flatMap((k) => changesIn(k, turnsOf(person, contacts, k)))
    .toSorted(newestFirst);

/** All changes of the state of a contact, newest first. */
export const contactHistory = (registers: readonly Consent[]): ConsentChange[] =>
  registers
    .flatMap((one) => {
      const turns = countingIn(one).map((said) => ({ moment: said.at, said }));
      return changesIn(one.k, turns);
    })
    .toSorted(newestFirst);

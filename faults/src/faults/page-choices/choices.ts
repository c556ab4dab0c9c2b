// What a person chooses on the page, and what their states and their history are after it.
import { type Dice, pick } from '../../harness/dice.ts';

export const consents = ['email', 'demo-news', 'demo-texts'] as const;
export type Consent = (typeof consents)[number];

export type Choice = Record<Consent, string>;

const groupStates = ['subscribed', 'unsubscribed'];

export const chooseBy = (dice: Dice): Choice => ({
  email: pick(dice, ['opted_in', ...groupStates]),
  'demo-news': pick(dice, groupStates),
  'demo-texts': pick(dice, groupStates),
});

export interface Change {
  from: string | null;
  to: string;
  /** Which choice made it. */
  choice: number;
}

/** A choice that repeats the state is no change. */
export const changesOf = (choices: readonly Choice[], consent: Consent): Change[] => {
  const changes: Change[] = [];
  for (const [choice, said] of choices.entries()) {
    const from = changes.at(-1)?.to ?? null;
    if (said[consent] !== from) changes.push({ from, to: said[consent], choice });
  }
  return changes;
};

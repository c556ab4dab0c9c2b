/** What the entries of a batch say about emails and phones: for each register the latest statement counts, whoever comes first. */
import { crossedBy, type Overtaken, type Said } from '../consent.ts';
import type { Consent, Stamp } from '../profile.ts';

/** Everything that was said about an address, with this batch. */
export interface Address {
  /** Identity key of the email or phone. */
  key: string;
  ws: string;
  consents: readonly Said[];
}

const isNews = (old: Said, { at, v }: Said): boolean => at > old.at || (at === old.at && v !== old.v);

/** Requests overtake each other by seconds; ten minutes, in microseconds, and no more than so many. */
const moment: Stamp = 10 * 60 * 1_000_000;
const mostEarlier = 8;

/** What is remembered of an address beside what was said last, with one more statement. */
const remembering = ({ earlier = [] }: Said, { v, at }: Said, last: Stamp): { earlier?: Overtaken[] } => {
  const others = earlier.filter((one) => one.at !== at);
  const all = [...others, { v, at }].filter((one) => one.at > last - moment && one.at < last);
  return all.length > 0 ? { earlier: all.toSorted((a, b) => a.at - b.at).slice(-mostEarlier) } : {};
};

const overtaking = (old: Said, statement: Said): Said => ({
  ...statement,
  ...((old.crossed ?? 0) > statement.at && { crossed: old.crossed }),
  ...remembering(old, old, statement.at),
});

/** What stood there before a stamp. */
const stoodBefore = (said: Said, at: Stamp): Said[] => {
  if (said.at < at) return [said];
  const last = said.earlier?.findLast((one) => one.at < at);
  return last ? [{ k: said.k, ...last }] : [];
};

/** What becomes of a register by one statement. */
const spokenOf = (old: Said | undefined, statement: Said): Said => {
  if (!old) return statement;
  if (isNews(old, statement)) return overtaking(old, statement);
  return statement.at < old.at ? { ...old, ...remembering(old, statement, old.at) } : old;
};

/** The same list when nothing in it changes. */
export const withStatements = (before: readonly Said[], statements: readonly Said[]): readonly Said[] => {
  const all = new Map(before.map((one) => [one.k, one]));
  let isChanged = false;
  for (const statement of statements) {
    const old = all.get(statement.k);
    const next = spokenOf(old, statement);
    isChanged ||= next !== old;
    all.set(statement.k, next);
  }
  return isChanged ? [...all.values()] : before;
};

export const createAddresses = (known: ReadonlyMap<string, readonly Said[]>, needs: Set<string>) => {
  const said = new Map<string, Address>();

  const consentsOf = (key: string): readonly Said[] => {
    const consents = said.get(key)?.consents ?? known.get(key);
    if (!consents) needs.add(key);
    return consents ?? [];
  };

  const peek = (key: string): readonly Said[] => said.get(key)?.consents ?? known.get(key) ?? [];

  return {
    /** Up to a stamp, and not beyond. */
    saidBefore: (key: string, at: Stamp): Said[] => consentsOf(key).flatMap((said) => stoodBefore(said, at)),

    /** Written even if nothing changes, so that it collides with whoever leaves the address at the same time. */
    say(ws: string, key: string, statements: readonly Said[]): void {
      said.set(key, { key, ws, consents: withStatements(consentsOf(key), statements) });
    },

    /** As far as it is known: nothing is looked up for it. */
    peek,

    /** This is what counts for somebody who has it. */
    cross(ws: string, key: string, counts: readonly Consent[]): void {
      const before = peek(key);
      const consents = crossedBy(before, counts);
      if (consents !== before) said.set(key, { key, ws, consents });
    },

    /** Somebody leaves it: written for the same reason. */
    leave(ws: string, key: string): void {
      said.set(key, { key, ws, consents: consentsOf(key) });
    },

    /** In one order everywhere, so that two batches don't wait for each other crosswise. */
    writes: (): Address[] => [...said.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  };
};

export type Addresses = ReturnType<typeof createAddresses>;

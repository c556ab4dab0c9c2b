/** What the entries of a batch say about emails and phones: for each register the latest statement counts, whoever comes first. */
import type { Said } from '../consent.ts';
import type { Stamp } from '../profile.ts';

/** Everything that was said about an address, up to this batch. */
export interface Address {
  /** Identity key of the email or phone. */
  key: string;
  ws: string;
  consents: readonly Said[];
}

const isNews = (old: Said | undefined, { at, v }: Said): boolean =>
  !old || at > old.at || (at === old.at && v !== old.v);

/** The same list when nothing in it changes. */
export const withStatements = (before: readonly Said[], statements: readonly Said[]): readonly Said[] => {
  let after = before;
  for (const statement of statements) {
    const place = after.findIndex(({ k }) => k === statement.k);
    if (!isNews(after[place], statement)) continue;
    after = place < 0 ? [...after, statement] : after.with(place, statement);
  }
  return after;
};

export const createAddresses = (known: ReadonlyMap<string, readonly Said[]>, needs: Set<string>) => {
  const said = new Map<string, Address>();

  const consentsOf = (key: string): readonly Said[] => {
    const consents = said.get(key)?.consents ?? known.get(key);
    if (!consents) needs.add(key);
    return consents ?? [];
  };

  return {
    /** Up to a stamp, and not beyond. */
    saidBefore: (key: string, at: Stamp): Said[] => consentsOf(key).filter((statement) => statement.at < at),

    say(ws: string, key: string, statements: readonly Said[]): void {
      const before = consentsOf(key);
      const consents = withStatements(before, statements);
      if (consents !== before) said.set(key, { key, ws, consents });
    },

    /** In one order everywhere, so that two batches don't wait for each other crosswise. */
    writes: (): Address[] => [...said.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  };
};

export type Addresses = ReturnType<typeof createAddresses>;

/** Registers of consent: a person's own, and those of the addresses a person has. The latest statement counts. */
import type { Consent, Profile, Stamp, Stamped } from './profile.ts';

/**
 * A statement about an address. `orphan`: nobody had the address when it was made. `taken`: that too, but its 30 days are over, and
 * somebody came with the address in time. `crossed`: what counts for somebody who has the address is something else, said at that
 * stamp; so repeating the statement changes something. `earlier`: what it overtook a moment ago, oldest first; somebody may turn out to have
 * left the address between the two.
 */
export type Said = Consent & { orphan?: true; taken?: true; crossed?: Stamp; earlier?: Overtaken[] };

export type Overtaken = Omit<Consent, 'k'>;

export interface SaidOfAddresses {
  email?: readonly Said[];
  phone?: readonly Said[];
}

/** How long a statement about an address waits for somebody who has it: 30 days, in microseconds. */
export const orphanLife: Stamp = 30 * 24 * 60 * 60 * 1_000_000;

/** The register of a subscription group. */
export const groupKey = (id: string): string => `group:${id}`;

/** Same stamp wins too: later entries of one request come later. */
export const setConsents = (consents: readonly Consent[], statements: readonly Consent[]): Consent[] => {
  const all = new Map(consents.map((one) => [one.k, one]));
  for (const { k, v, at } of statements) if (at >= (all.get(k)?.at ?? at)) all.set(k, { k, v, at });
  return [...all.values()];
};

/** Since when the person has the address they have now. */
export const sinceOf = (address: Stamped | undefined): Stamp | undefined =>
  typeof address?.v === 'string' ? (address.since ?? address.at) : undefined;

export const appliesSince = (
  { at, orphan, taken }: Pick<Said, 'at' | 'orphan' | 'taken'>,
  since: Stamp,
): boolean => at >= since || ((orphan === true || taken === true) && at >= since - orphanLife);

/** Whether it is meant for somebody who had the address from the one stamp on, before the other. */
export const isDuring = (
  said: Pick<Said, 'at' | 'orphan' | 'taken'>,
  { since, until }: { since: Stamp; until: Stamp },
): boolean => appliesSince(said, since) && said.at < until;

export const applicable = ({ fields }: Profile, { email = [], phone = [] }: SaidOfAddresses): Said[] => {
  const [sinceEmail, sincePhone] = [sinceOf(fields.email), sinceOf(fields.phone)];
  return [
    ...(sinceEmail === undefined ? [] : email.filter((one) => appliesSince(one, sinceEmail))),
    ...(sincePhone === undefined ? [] : phone.filter((one) => appliesSince(one, sincePhone))),
  ];
};

/** What one request said of the person is said of their address no earlier: where the two differ, the address was last. */
const isLater = ({ at, v }: Consent, known: Consent | undefined): boolean =>
  !known || at > known.at || (at === known.at && v !== known.v);

/** What was said about the addresses, as far as it applies and is later than all the person has said. */
const later = (profile: Profile, said: SaidOfAddresses): Map<string, Consent> => {
  const own = new Map(profile.consents.map((one) => [one.k, one]));
  const latest = new Map<string, Consent>();
  for (const { k, v, at } of applicable(profile, said)) {
    if (isLater({ k, v, at }, latest.get(k) ?? own.get(k))) latest.set(k, { k, v, at });
  }
  return latest;
};

/** What counts for the person: of each register the latest, their own or said about an address of theirs. */
export const effectiveConsents = (profile: Profile, said: SaidOfAddresses): Consent[] => {
  const found = later(profile, said);
  const own = profile.consents.filter(({ k }) => !found.has(k));
  return [...own, ...found.values()];
};

/** Marks what was said about an address where something else counts for somebody who has it. The same list when that changes nothing. */
export const crossedBy = (said: readonly Said[], counts: readonly Consent[]): readonly Said[] => {
  if (said.length === 0) return said;
  const counting = new Map(counts.map((one) => [one.k, one]));
  let isChanged = false;
  const after = said.map((one) => {
    const { v = null, at = one.at } = counting.get(one.k) ?? {};
    if (v === one.v || at <= (one.crossed ?? 0)) return one;
    isChanged = true;
    return { ...one, crossed: at };
  });
  return isChanged ? after : said;
};

/** What has to be copied into the person's own registers before the addresses of which it was said go away. */
export const consentsToKeep = (before: Profile, said: SaidOfAddresses): Consent[] => [
  ...later(before, said).values(),
];

/** With these statements among the person's own; each counts by its own stamp. */
export const withConsents = (profile: Profile, kept: readonly Consent[]): Profile => {
  const own = new Map(profile.consents.map((one) => [one.k, one]));
  const news = kept.filter(({ k, v, at }) => own.get(k)?.at !== at || own.get(k)?.v !== v);
  return news.length === 0 ? profile : { ...profile, consents: setConsents(profile.consents, news) };
};

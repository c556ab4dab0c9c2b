/** Registers of consent: a person's own, and those of the addresses a person has. The latest statement counts. */
import type { Consent, ConsentState, Profile, Stamp, Stamped } from './profile.ts';

/**
 * A statement about an address. `orphan`: nobody had the address when it was made. `taken`: that too, but its 30 days are over, and
 * somebody came with the address in time.
 */
export type Said = Consent & { orphan?: true; taken?: true };

export interface SaidOfAddresses {
  email?: readonly Said[];
  phone?: readonly Said[];
}

/** How long a statement about an address waits for somebody who has it: 30 days, in microseconds. */
export const orphanLife: Stamp = 30 * 24 * 60 * 60 * 1_000_000;

/** The register of a subscription group. */
export const groupKey = (id: string): string => `group:${id}`;

/** Same stamp wins too: later entries of one request come later. */
export const setConsent = (
  consents: readonly Consent[],
  k: string,
  v: ConsentState | null,
  at: Stamp,
): Consent[] => {
  const place = consents.findIndex((one) => one.k === k);
  const old = consents[place];
  if (!old) return [...consents, { k, v, at }];
  return at < old.at ? [...consents] : consents.with(place, { k, v, at });
};

/** Since when the person has the address they have now. */
export const sinceOf = (address: Stamped | undefined): Stamp | undefined =>
  typeof address?.v === 'string' ? (address.since ?? address.at) : undefined;

export const appliesSince = (
  { at, orphan, taken }: Pick<Said, 'at' | 'orphan' | 'taken'>,
  since: Stamp,
): boolean => at >= since || ((orphan === true || taken === true) && at >= since - orphanLife);

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

/** What has to be copied into the person's own registers before the addresses of which it was said go away. */
export const consentsToKeep = (before: Profile, said: SaidOfAddresses): Consent[] => [
  ...later(before, said).values(),
];

/** With these statements among the person's own; each counts by its own stamp. */
export const withConsents = (profile: Profile, kept: readonly Consent[]): Profile => ({
  ...profile,
  consents: kept.reduce<Consent[]>(
    (consents, { k, v, at }) =>
      consents.some((one) => one.k === k && one.at === at && one.v === v)
        ? consents
        : setConsent(consents, k, v, at),
    profile.consents,
  ),
});

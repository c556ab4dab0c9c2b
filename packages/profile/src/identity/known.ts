/** What a batch of identity requests has loaded about people, and what it still needs. */
import type { IdentityClaim } from '../find/claim.ts';
import type { Fate } from '../find/fate.ts';
import type { Holder } from '../find/holders.ts';
import { type KnownPeople, noPeopleNeeds } from '../find/known.ts';

/** Profiles come without attributes and lists, unless they are `whole`. */
export interface IdentityKnown extends KnownPeople {
  /** People who have or had an email or phone, by identity key. */
  holders: ReadonlyMap<string, readonly Holder[]>;
  /** Service ids of the profiles that were loaded with attributes and lists. */
  whole: ReadonlySet<string>;
}

export const noIdentityNeeds = () => ({
  ...noPeopleNeeds(),
  /** Identity keys of emails and phones. */
  holders: new Set<string>(),
  /** Service ids of profiles that are needed with attributes and lists. */
  whole: new Set<string>(),
});

export type IdentityNeeds = ReturnType<typeof noIdentityNeeds>;

/** The fates of earlier owners. A fate after the claim is about the claim itself, which moved with its owner. */
export const fatesBefore = (fates: readonly Fate[], claim: IdentityClaim | undefined): readonly Fate[] =>
  claim ? fates.filter(({ at }) => at <= claim.at) : fates;

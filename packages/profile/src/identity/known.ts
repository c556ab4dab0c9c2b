/** What is known of the people whom a batch may be about, and what still has to be looked up. */
import type { Fate } from '../fate.ts';
import type { Addressee } from '../plan/known.ts';
import type { Consent, Profile, Stamp } from '../profile.ts';
import type { Candidate } from '../rank-candidates.ts';

/** As much of a profile as choosing between those who share an address takes. */
export interface Sharer extends Candidate, Addressee {
  absorbed?: string[];
}

export interface OwnerClaim {
  profile: string;
  at: Stamp;
}

/** All keys are identity keys; what was looked for and not found is known too. */
export interface IdentityKnown {
  claims: ReadonlyMap<string, OwnerClaim>;
  /** Everybody who has an email or phone, or had it before. */
  sharers: ReadonlyMap<string, readonly Sharer[]>;
  /** By service id, without attributes and lists unless they are `whole`; `undefined` when there is none. */
  profiles: ReadonlyMap<string, Profile | undefined>;
  whole: ReadonlySet<string>;
  /** Those for whom the requests have no room, at all or as a whole. */
  unloaded: ReadonlySet<string>;
  /** Service ids whose profile was merged away, by identity key, with the service id of the kept profile. */
  merged: ReadonlyMap<string, string>;
  /** The last event or purchase, by service id. */
  activity: ReadonlyMap<string, Stamp>;
  /** What was said about an email or phone. */
  said: ReadonlyMap<string, readonly Consent[]>;
  /** What became of earlier people, oldest first. */
  fates: ReadonlyMap<string, readonly Fate[]>;
}

export interface IdentityNeeds {
  sharers: Set<string>;
  profiles: Set<string>;
  /** Of these the whole profile. */
  whole: Set<string>;
  activity: Set<string>;
  said: Set<string>;
}

export const noIdentityNeeds = (): IdentityNeeds => ({
  sharers: new Set(),
  profiles: new Set(),
  whole: new Set(),
  activity: new Set(),
  said: new Set(),
});

export const needsMore = (needs: IdentityNeeds): boolean =>
  Object.values(needs).some(({ size }: Set<string>) => size > 0);

/** The fates of those who had an identifier before: what came later was the claim itself, moving with its people. */
export const fatesBefore = (fates: readonly Fate[], claim: OwnerClaim | undefined): readonly Fate[] =>
  claim ? fates.filter(({ at }) => at <= claim.at) : fates;

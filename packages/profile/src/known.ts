/** The loaded people of a batch. */
import type { Claim } from './claim.ts';
import type { Fate } from './fate.ts';
import type { Consent, Profile, Stamp } from './profile.ts';

/** An empty list is known too: there is nothing. */
export interface KnownPeople {
  /** External ids and aliases, by identity key. */
  claims: ReadonlyMap<string, Claim>;
  /** By service id. */
  profiles: ReadonlyMap<string, Profile | undefined>;
  /** Service ids of profiles that were not read: the budget of the batch was spent before. */
  unloaded: ReadonlySet<string>;
  /** Service ids of kept profiles, by the identity key of the profile that was merged away. */
  merged: ReadonlyMap<string, string>;
  /** The last event or purchase, by service id. */
  activity: ReadonlyMap<string, Stamp>;
  /** The last event or purchase up to a stamp, where there were later ones, by person and stamp. */
  earlierActivity: ReadonlyMap<string, Stamp>;
  /** Statements of consent about emails and phones, by identity key. */
  contacts: ReadonlyMap<string, readonly Consent[]>;
  /** The fates of an identifier, oldest first, by identity key. */
  fates: ReadonlyMap<string, readonly Fate[]>;
}

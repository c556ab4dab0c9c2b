/** What a batch has loaded about its people, and what it still has to load before it can be planned. */

import type { Consent, Profile, Stamp } from '../profile.ts';
import type { IdentityClaim } from './claim.ts';
import type { Fate } from './fate.ts';

/** An empty list is known too: there is nothing. */
export interface KnownPeople {
  /** External ids and aliases, by identity key. */
  claims: ReadonlyMap<string, IdentityClaim>;
  /** By service id; `undefined`: there is no such profile. */
  profiles: ReadonlyMap<string, Profile | undefined>;
  /** Service ids of profiles that were not read: the budget of the batch was spent before. */
  unloaded: ReadonlySet<string>;
  /** Service ids of kept profiles, by the identity key of the profile that was merged away. */
  merged: ReadonlyMap<string, string>;
  /** The last event or purchase, by service id. */
  activity: ReadonlyMap<string, Stamp>;
  /** Statements of consent about emails and phones, by identity key. */
  contacts: ReadonlyMap<string, readonly Consent[]>;
  /** The fates of an identifier, oldest first, by identity key. */
  fates: ReadonlyMap<string, readonly Fate[]>;
}

/** Service ids and identity keys. */
export const noPeopleNeeds = () => ({
  profiles: new Set<string>(),
  activity: new Set<string>(),
  contacts: new Set<string>(),
});

type PeopleNeeds = ReturnType<typeof noPeopleNeeds>;

export const isNeedy = (needs: PeopleNeeds): boolean =>
  Object.values(needs).some(({ size }: { size: number }) => size > 0);

/** What is known by this key; `undefined`: the batch needs it. */
export const knownOrNeeded = <Value>(known: ReadonlyMap<string, Value>, needs: Set<string>, key: string) => {
  const value = known.get(key);
  if (value === undefined) needs.add(key);
  return value;
};

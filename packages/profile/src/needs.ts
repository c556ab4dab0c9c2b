/** The lookups that a batch still needs before it can be planned. */
import type { Stamp } from './profile.ts';

/** A person at a stamp. */
export interface PersonAt {
  id: string;
  at: Stamp;
}

/** Service ids and identity keys. */
export interface PeopleNeeds {
  profiles: Set<string>;
  activity: Set<string>;
  earlierActivity: Map<string, PersonAt>;
  contacts: Set<string>;
}

export const isNeedy = (needs: PeopleNeeds): boolean =>
  Object.values(needs).some(({ size }: { size: number }) => size > 0);

/** The loaded value of this key; without one, the batch needs it. */
export const knownOrNeeded = <Value>(
  known: ReadonlyMap<string, Value>,
  needs: Set<string>,
  key: string,
): Value | undefined => {
  const value = known.get(key);
  if (value === undefined) needs.add(key);
  return value;
};

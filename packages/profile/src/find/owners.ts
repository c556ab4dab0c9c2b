import type { Profile } from '../profile.ts';

/** The person who owns what is stored under a service id: by the ids of all of them, also of people who were merged into them. */
export const ownersIn = (people: readonly Pick<Profile, '_id' | 'absorbed'>[]): Map<string, string> =>
  new Map(people.flatMap(({ _id, absorbed = [] }) => [_id, ...absorbed].map((id) => [id, _id] as const)));

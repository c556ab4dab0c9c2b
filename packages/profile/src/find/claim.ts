/** Claims: to which profile an external id or alias belongs. */
import type { Alias, Profile, Stamp } from '../profile.ts';
import { identityKey } from './identifier.ts';

/** The external id or alias belongs to the profile since the request with this stamp. */
export interface IdentityClaim {
  profile: string;
  at: Stamp;
  /** When a merge last moved it to the kept profile. Its tombstone names the profile before. */
  moved?: Stamp;
}

export interface Identity extends IdentityClaim {
  key: string;
}

/** Whether only one profile can have this kind of identifier. */
export const isClaimed = ({ by }: { by: string }): boolean => by === 'external_id' || by === 'user_alias';

export const aliasKey = (ws: string, { label, name }: Alias): string =>
  identityKey(ws, { by: 'user_alias', label, name });

export const externalKey = (ws: string, id: string): string => identityKey(ws, { by: 'external_id', id });

/** Identity keys of all external ids and aliases of a person. */
export const claimedKeysOf = ({ ws, external_id, former_ids = [], aliases = [] }: Profile): string[] => [
  ...(external_id === undefined ? [] : [externalKey(ws, external_id)]),
  ...former_ids.map((id) => externalKey(ws, id)),
  ...aliases.map((alias) => aliasKey(ws, alias)),
];

/** The person who owns what is stored under a service id: by the ids of all of them, also of people who were merged into them. */
export const ownersIn = (people: readonly Pick<Profile, '_id' | 'absorbed'>[]): Map<string, string> =>
  new Map(people.flatMap(({ _id, absorbed = [] }) => [_id, ...absorbed].map((id) => [id, _id] as const)));

/** The identity keys of the external ids and aliases of a person. */
import { identityKey } from './identifier.ts';
import type { Alias, Profile } from './profile.ts';

export const aliasKey = (ws: string, { label, name }: Alias): string =>
  identityKey(ws, { by: 'user_alias', label, name });

export const externalKey = (ws: string, id: string): string => identityKey(ws, { by: 'external_id', id });

export const claimedKeysOf = ({ ws, external_id, former_ids = [], aliases = [] }: Profile): string[] => [
  ...(external_id === undefined ? [] : [externalKey(ws, external_id)]),
  ...former_ids.map((id) => externalKey(ws, id)),
  ...aliases.map((alias) => aliasKey(ws, alias)),
];

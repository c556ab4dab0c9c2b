/** The identifiers that an identity request names. */
import type { Identifier } from '../identifier.ts';
import { identityKey } from '../identity-key.ts';
import type { IdentityEntry } from './request.ts';

const external = (id: string): Identifier => ({ by: 'external_id', id });

const alias = (label: string, name: string): Identifier => ({ by: 'user_alias', label, name });

/** All identifiers that an entry names. */
export const identifiersOf = (entry: IdentityEntry): Identifier[] => {
  switch (entry.do) {
    case 'alias_new':
      return [
        alias(entry.label, entry.name),
        ...(entry.external_id === undefined ? [] : [external(entry.external_id)]),
      ];
    case 'alias_update':
      return [alias(entry.label, entry.from), alias(entry.label, entry.to)];
    case 'identify':
      return [external(entry.external_id), entry.named.who];
    case 'merge':
      return [entry.away.who, entry.kept.who];
    case 'delete':
      return [entry.named.who];
    case 'rename':
      return [external(entry.from), external(entry.to)];
    case 'remove':
      return [external(entry.external_id)];
  }
};

export const identityKeysIn = (ws: string, entry: IdentityEntry): string[] =>
  identifiersOf(entry).map((identifier) => identityKey(ws, identifier));

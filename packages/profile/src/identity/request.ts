/** The requests that change who people are, as their entries, and everybody they may be about. */
import { type Identifier, identityKey } from '../identifier.ts';
import type { EntryNote } from '../plan/result.ts';
import type { Stamp } from '../profile.ts';
import type { Preference } from './prioritize.ts';

/** Somebody, as an entry names them. */
export interface Named {
  who: Identifier;
  prioritization?: readonly Preference[];
}

export type IdentityEntry =
  | { do: 'alias_new'; label: string; name: string; external_id?: string }
  | { do: 'alias_update'; label: string; from: string; to: string }
  | { do: 'identify'; external_id: string; named: Named; merges: boolean }
  | { do: 'merge'; away: Named; kept: Named }
  | { do: 'delete'; named: Named }
  | { do: 'rename'; from: string; to: string }
  | { do: 'remove'; external_id: string };

/** A text stands for an entry that was refused, and says why. */
export type Listed = IdentityEntry | string;

export interface IdentityRequest {
  id: string;
  ws: string;
  at: Stamp;
  /** By the name of the array in the request. */
  lists: { [array: string]: readonly Listed[] };
  /** What is ignored whoever the people are. */
  notes?: readonly EntryNote<string>[];
}

const external = (id: string): Identifier => ({ by: 'external_id', id });
const alias = (label: string, name: string): Identifier => ({ by: 'user_alias', label, name });

/** Everybody an entry names. */
const identifiersOf = (entry: IdentityEntry): Identifier[] => {
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

/** What has to be looked up before anything can be planned: identity keys by the way they are looked up, and service ids. */
interface Asked {
  claims: Set<string>;
  addresses: Set<string>;
  serviceIds: Set<string>;
  /** Those of the claims whose people may become one with somebody: they are read as a whole. */
  joining: Set<string>;
}

export const identityKeysIn = (ws: string, entry: IdentityEntry): string[] =>
  identifiersOf(entry).map((identifier) => identityKey(ws, identifier));

export const askedBy = (requests: readonly IdentityRequest[]): Asked => {
  const asked: Asked = { claims: new Set(), addresses: new Set(), serviceIds: new Set(), joining: new Set() };
  for (const { ws, lists } of requests) {
    for (const entry of Object.values(lists).flat()) {
      if (typeof entry === 'string') continue;
      for (const identifier of identifiersOf(entry)) {
        if (identifier.by === 'service_id') asked.serviceIds.add(identifier.id);
        else if (identifier.by === 'email' || identifier.by === 'phone')
          asked.addresses.add(identityKey(ws, identifier));
        else asked.claims.add(identityKey(ws, identifier));
        if (entry.do === 'merge' || entry.do === 'identify') asked.joining.add(identityKey(ws, identifier));
      }
    }
  }
  return asked;
};

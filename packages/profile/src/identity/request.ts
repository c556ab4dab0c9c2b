/** The requests that change who people are: their entries, and the identifiers that these name. */
import { type Identifier, identityKey } from '../find/identifier.ts';
import type { Preference } from '../find/prioritize.ts';
import type { Origin } from '../plan/item.ts';
import type { EntryNote } from '../plan/result.ts';

/** A person, as an entry names them. */
export interface NamedPerson {
  who: Identifier;
  prioritization?: readonly Preference[];
}

export type IdentityEntry =
  | { do: 'alias_new'; label: string; name: string; external_id?: string }
  | { do: 'alias_update'; label: string; from: string; to: string }
  | { do: 'identify'; external_id: string; named: NamedPerson; merges: boolean }
  | { do: 'merge'; away: NamedPerson; kept: NamedPerson }
  | { do: 'delete'; named: NamedPerson }
  | { do: 'rename'; from: string; to: string }
  | { do: 'remove'; external_id: string };

/** A text stands for a refused entry: the reason. */
export type ListedEntry = IdentityEntry | string;

export interface IdentityRequest extends Pick<Origin, 'id' | 'ws' | 'at'> {
  /** By the name of the array in the request. */
  lists: { [array: string]: readonly ListedEntry[] };
  /** Members that are ignored for any person. */
  notes?: readonly EntryNote<string>[];
}

const external = (id: string): Identifier => ({ by: 'external_id', id });
const alias = (label: string, name: string): Identifier => ({ by: 'user_alias', label, name });

/** All identifiers that an entry names. */
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

export const identityKeysIn = (ws: string, entry: IdentityEntry): string[] =>
  identifiersOf(entry).map((identifier) => identityKey(ws, identifier));

/** What has to be loaded before the first plan: identity keys by the way they are looked up, and service ids. */
export const askedBy = (requests: readonly IdentityRequest[]) => {
  const asked = {
    claims: new Set<string>(),
    contacts: new Set<string>(),
    serviceIds: [] as { ws: string; id: string }[],
    /** Identifiers of people who may be merged: their profiles are read as a whole. */
    joining: new Set<string>(),
  };
  for (const { ws, lists } of requests) {
    for (const entry of Object.values(lists).flat()) {
      if (typeof entry === 'string') continue;
      for (const identifier of identifiersOf(entry)) {
        if (identifier.by === 'service_id') asked.serviceIds.push({ ws, id: identifier.id });
        else if (identifier.by === 'email' || identifier.by === 'phone')
          asked.contacts.add(identityKey(ws, identifier));
        else asked.claims.add(identityKey(ws, identifier));
        if (entry.do === 'merge' || entry.do === 'identify') asked.joining.add(identityKey(ws, identifier));
      }
    }
  }
  return asked;
};

/** The lookups of identity requests. */
import { identityKey } from '../identity-key.ts';
import { identifiersOf } from './identifiers-named.ts';
import type { IdentityRequest } from './request.ts';

/** The lookups before the first plan: identity keys by their kind of lookup, and service ids. */
interface Asked {
  claims: Set<string>;
  contacts: Set<string>;
  serviceIds: Set<string>;
  /** Identifiers of people who may be merged: their profiles are read as a whole. */
  joining: Set<string>;
}

export const askedBy = (requests: readonly IdentityRequest[]): Asked => {
  const asked: Asked = { claims: new Set(), contacts: new Set(), serviceIds: new Set(), joining: new Set() };
  for (const { ws, lists } of requests) {
    for (const entry of Object.values(lists).flat()) {
      if (typeof entry === 'string') continue;
      for (const identifier of identifiersOf(entry)) {
        if (identifier.by === 'service_id') asked.serviceIds.add(identifier.id);
        else if (identifier.by === 'email' || identifier.by === 'phone')
          asked.contacts.add(identityKey(ws, identifier));
        else asked.claims.add(identityKey(ws, identifier));
        if (entry.do === 'merge' || entry.do === 'identify') asked.joining.add(identityKey(ws, identifier));
      }
    }
  }
  return asked;
};

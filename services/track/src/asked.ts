/** The lookups of the entries of a batch. Pure. */

import { oldestOf } from '@roster/batch';
import {
  contactsIn,
  type Item,
  isClaimed,
  keysOfSubject,
  noDeletions,
  type Stamp,
  type TrackEntry,
} from '@roster/profile';
import type { ServiceId } from '@roster/store';
import type { TrackRequest } from './operations.ts';

/** Every member of an attribute object: only these attributes of large profiles are read. */
export const namesIn = (requests: readonly TrackRequest[]): Set<string> =>
  new Set(requests.flatMap(({ attributes }) => attributes.flatMap(({ entry }) => Object.keys(entry))));

const nothingAsked = (requests: readonly TrackRequest[]) => ({
  /** The stamp of the oldest request. */
  since: oldestOf(requests.map(({ origin }) => origin)),
  /** External ids and aliases by identity key, with the stamp of the first request that names them. */
  claims: new Map<string, Stamp>(),
  /** By identity key. */
  serviceIds: new Map<string, ServiceId>(),
  /** Emails, phones and push tokens by identity key. */
  shared: new Set<string>(),
});

export type TrackLookups = ReturnType<typeof nothingAsked>;

const ask = (asked: TrackLookups, { identifier, key, origin }: Item<TrackEntry>): void => {
  const { ws, at } = origin;
  if (identifier.by === 'service_id') asked.serviceIds.set(key, { ws, id: identifier.id });
  else if (!isClaimed(identifier)) for (const one of keysOfSubject(ws, identifier)) asked.shared.add(one);
  // Requests come in the order of their stamps: the first one is the oldest.
  else if (!asked.claims.has(key)) asked.claims.set(key, at);
};

export const askedBy = (requests: readonly TrackRequest[], deletions = noDeletions): TrackLookups => {
  const asked = nothingAsked(requests);
  for (const { attributes, events, purchases } of requests) {
    for (const item of [...attributes, ...events, ...purchases]) ask(asked, item);
    for (const item of attributes) {
      // A deletion may concern the people who have these contacts.
      if (deletions.mayConcern(item.origin)) for (const key of contactsIn(item)) asked.shared.add(key);
    }
  }
  return asked;
};

/** The lookups of the entries of a batch: identifiers, and the profiles that will change. Pure. */
import {
  addTo,
  type Deletions,
  emailKey,
  type Item,
  noDeletions,
  type Stamp,
  type TrackEntry,
} from '@roster/profile';
import type { ServiceId } from '@roster/store';
import type { TrackRequest } from './operations.ts';

type ByWorkspace = Map<string, Set<string>>;

export interface TrackLookups {
  /** The stamp of the oldest request. */
  since: Stamp;
  /** External ids and aliases by identity key, with the stamp of the first request that names them. */
  claims: Map<string, Stamp>;
  /** By identity key. */
  serviceIds: Map<string, ServiceId>;
  emails: ByWorkspace;
  phones: ByWorkspace;
  tokens: ByWorkspace;
  /** Emails, phones and service ids by identity key. */
  others: Set<string>;
  /** Claims and service ids of attribute objects: these profiles will be changed. */
  changedClaims: Set<string>;
  changedIds: Set<string>;
  /** Attribute objects with a statement of consent, or with an email or phone. */
  aboutContacts: Item<TrackEntry>[];
}

/** Every member of an attribute object: only these attributes of large profiles are read. */
export const namesIn = (requests: readonly TrackRequest[]): Set<string> => {
  const names = new Set<string>();
  for (const { attributes } of requests)
    for (const { entry } of attributes) for (const name in entry) names.add(name);
  return names;
};

const ask = (asked: TrackLookups, { identifier, key, origin: { ws, at } }: Item<TrackEntry>): void => {
  switch (identifier.by) {
    case 'external_id':
    case 'user_alias':
      // Requests come in the order of their stamps: the first one is the oldest.
      if (!asked.claims.has(key)) asked.claims.set(key, at);
      return;
    case 'tokens':
      for (const token of identifier.keys) addTo(asked.tokens, ws, token);
      return;
    case 'service_id':
      asked.serviceIds.set(key, { ws, id: identifier.id });
      break;
    case 'email':
      addTo(asked.emails, ws, emailKey(identifier.email));
      break;
    case 'phone':
      addTo(asked.phones, ws, identifier.phone);
      break;
  }
  asked.others.add(key);
};

/** Whether the entry has a statement of consent that is about a contact too. */
export const isStating = ({ entry }: Item<TrackEntry>): boolean =>
  'email_subscribe' in entry || 'subscription_groups' in entry;

const isAboutContacts = (item: Item<TrackEntry>): boolean =>
  'email' in item.entry || 'phone' in item.entry || isStating(item);

/** The people who have them, where a deletion may concern one of these people. */
const askHolders = (asked: TrackLookups, { entry: { email, phone }, origin: { ws } }: Item<TrackEntry>) => {
  if (email != null) addTo(asked.emails, ws, emailKey(email));
  if (phone != null) addTo(asked.phones, ws, phone);
};

const askChange = (asked: TrackLookups, item: Item<TrackEntry>, deletions: Deletions): void => {
  if (deletions.mayConcern(item.origin)) askHolders(asked, item);
  if (item.identifier.by === 'service_id') asked.changedIds.add(item.identifier.id);
  else asked.changedClaims.add(item.key);
  if (isAboutContacts(item)) asked.aboutContacts.push(item);
};

export const askedBy = (requests: readonly TrackRequest[], deletions = noDeletions): TrackLookups => {
  const asked: TrackLookups = {
    since: requests.reduce((least, { origin }) => Math.min(least, origin.at), Number.POSITIVE_INFINITY),
    claims: new Map(),
    serviceIds: new Map(),
    emails: new Map(),
    phones: new Map(),
    tokens: new Map(),
    others: new Set(),
    changedClaims: new Set(),
    changedIds: new Set(),
    aboutContacts: [],
  };
  for (const { attributes, events, purchases } of requests) {
    for (const item of attributes) {
      ask(asked, item);
      askChange(asked, item, deletions);
    }
    for (const item of events) ask(asked, item);
    for (const item of purchases) ask(asked, item);
  }
  return asked;
};

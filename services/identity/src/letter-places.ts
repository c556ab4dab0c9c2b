/** Where in a dead letter people are named, and the letter without them. */
import type { AcceptedRequest, SubscriptionSetGroup } from '@roster/contract';
import { identifierOf, identityKey, identityKeysIn, importedTokens, tokenIdentity } from '@roster/profile';
import { identityRequest } from './requests.ts';

/** Stands where an entry was; it counts as refused. */
export const erased = 'ERASED';

type Body = Record<string, unknown>;

export interface Place {
  /** Identity keys of everybody named there. */
  keys: string[];
  /** Takes it out of a body that nobody else holds. */
  erase(body: Body): void;
}

const bodyOf = ({ body }: AcceptedRequest): Body => (body ?? {}) as Body;

const listIn = (body: Body, name: string): unknown[] => {
  const list = body[name];
  return Array.isArray(list) ? list : [];
};

const entryPlace = (array: string, index: number, keys: string[]): Place => ({
  keys,
  erase(body) {
    listIn(body, array)[index] = erased;
  },
});

/** An import of push tokens names nobody: it is about whoever has them. */
const keysOfEntry = (ws: string, entry: object): string[] => {
  const identifier = identifierOf(entry);
  if (identifier) return [identityKey(ws, identifier)];
  return (importedTokens(entry) ?? []).map((token) => tokenIdentity(ws, token));
};

const trackArrays = ['attributes', 'events', 'purchases'] as const;

const trackPlaces = (request: AcceptedRequest): Place[] =>
  trackArrays.flatMap((array) =>
    listIn(bodyOf(request), array).flatMap((entry, index) => {
      const keys = typeof entry === 'object' && entry ? keysOfEntry(request.ws, entry) : [];
      return keys.length > 0 ? [entryPlace(array, index, keys)] : [];
    }),
  );

const identityPlaces = (request: AcceptedRequest): Place[] =>
  Object.entries(identityRequest(request).lists).flatMap(([array, entries]) =>
    entries.flatMap((entry, index) =>
      typeof entry === 'string' ? [] : [entryPlace(array, index, identityKeysIn(request.ws, entry))],
    ),
  );

const names = {
  external_ids: (id: string) => ({ by: 'external_id', id }) as const,
  emails: (email: string) => ({ by: 'email', email }) as const,
  phones: (phone: string) => ({ by: 'phone', phone }) as const,
};
const nameArrays = ['external_ids', 'emails', 'phones'] as const;

const groupsIn = (body: Body): SubscriptionSetGroup[] =>
  listIn(body, 'subscription_groups') as SubscriptionSetGroup[];

/** A name is nothing but who it names, so nothing of it stays. */
const subscriptionPlaces = (request: AcceptedRequest): Place[] =>
  groupsIn(bodyOf(request)).flatMap((group, place) =>
    nameArrays.flatMap((array) =>
      (group[array] ?? []).map((name) => ({
        keys: [identityKey(request.ws, names[array](name))],
        erase(body: Body) {
          const own = groupsIn(body)[place];
          if (own) own[array] = (own[array] ?? []).filter((one) => one !== name);
        },
      })),
    ),
  );

const isSubscription = ({ op }: AcceptedRequest): boolean =>
  op === 'subscription.status.set' || op === 'subscription.status.set.v2';

export const placesIn = (request: AcceptedRequest): Place[] =>
  isSubscription(request)
    ? subscriptionPlaces(request)
    : [...trackPlaces(request), ...identityPlaces(request)];

/** The request without what stands at these places; nothing when nobody is left in it. */
export const without = (request: AcceptedRequest, places: readonly Place[]): AcceptedRequest | undefined => {
  const body = structuredClone(bodyOf(request));
  for (const place of places) place.erase(body);
  const left = { ...request, body };
  return placesIn(left).length > 0 ? left : undefined;
};

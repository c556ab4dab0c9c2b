/** Reads what a batch has to know, in as few queries as possible. An event of an existing person reads its claim and nothing else. */
import {
  emailKey,
  type Item,
  type Known,
  type Listed,
  type Needs,
  type Profile,
  type TrackEntry,
} from '@roster/profile';
import type { Session, Store } from '@roster/store';
import type { TrackRequest } from './batch.ts';

export type Stores = Pick<Store, 'ownersOf' | 'profiles' | 'events' | 'purchases'>;

interface Asked {
  claims: Set<string>;
  serviceIds: Set<string>;
  /** By workspace. */
  emails: Map<string, Set<string>>;
  phones: Map<string, Set<string>>;
  /** Claims and service ids of attribute objects: these profiles will be changed. */
  changedClaims: Set<string>;
  changedIds: Set<string>;
}

const add = (to: Map<string, Set<string>>, ws: string, value: string): void => {
  const values = to.get(ws);
  if (values) values.add(value);
  else to.set(ws, new Set([value]));
};

const ask = (asked: Asked, { identifier, key, origin }: Item<TrackEntry>): void => {
  switch (identifier.by) {
    case 'external_id':
    case 'user_alias':
      asked.claims.add(key);
      break;
    case 'service_id':
      asked.serviceIds.add(identifier.id);
      break;
    case 'email':
      add(asked.emails, origin.ws, emailKey(identifier.email));
      break;
    case 'phone':
      add(asked.phones, origin.ws, identifier.phone);
      break;
  }
};

const askedBy = (requests: readonly TrackRequest[]): Asked => {
  const asked: Asked = {
    claims: new Set(),
    serviceIds: new Set(),
    emails: new Map(),
    phones: new Map(),
    changedClaims: new Set(),
    changedIds: new Set(),
  };
  for (const { attributes, events, purchases } of requests) {
    for (const item of attributes) {
      ask(asked, item);
      if (item.identifier.by === 'service_id') asked.changedIds.add(item.identifier.id);
      else asked.changedClaims.add(item.key);
    }
    for (const item of events) ask(asked, item);
    for (const item of purchases) ask(asked, item);
  }
  return asked;
};

const whoIsAsked = ({ serviceIds, emails, phones }: Asked): object[] => [
  ...(serviceIds.size > 0 ? [{ _id: { $in: [...serviceIds] } }] : []),
  ...[...emails].map(([ws, keys]) => ({ ws, email_key: { $in: [...keys] } })),
  ...[...phones].map(([ws, keys]) => ({ ws, phone_key: { $in: [...keys] } })),
];

const listing = { ws: 1, external_id: 1, email_key: 1, phone_key: 1, updated_at: 1 } as const;

const readListed = async (
  { profiles }: Stores,
  session: Session,
  asked: Asked,
): Promise<Map<string, Listed>> => {
  const filters = whoIsAsked(asked);
  if (filters.length === 0) return new Map();
  const filter = filters.length === 1 ? filters[0] : { $or: filters };
  const found = await profiles
    .find<Listed>(filter ?? {}, { session, batchSize: 10_000, projection: listing })
    .toArray();
  return new Map(found.map((person) => [person._id, person]));
};

const readProfiles = async (
  { profiles }: Stores,
  session: Session,
  ids: ReadonlySet<string>,
): Promise<Map<string, Profile>> => {
  if (ids.size === 0) return new Map();
  const found = await profiles
    .find({ _id: { $in: [...ids] } }, { session, batchSize: ids.size + 1 })
    .toArray();
  return new Map(found.map((profile) => [profile._id, profile]));
};

/** Those found by email or phone are not among them: who is meant, only the plan can tell. */
const changedBy = (
  { changedClaims, changedIds }: Asked,
  claims: Known['claims'],
  listed: Known['listed'],
): Set<string> => {
  const ids = new Set([...changedIds].filter((id) => listed.has(id)));
  for (const key of changedClaims) {
    const id = claims.get(key);
    if (id !== undefined) ids.add(id);
  }
  return ids;
};

export const load = async (
  stores: Stores,
  session: Session,
  requests: readonly TrackRequest[],
): Promise<Known> => {
  const asked = askedBy(requests);
  const claims = await stores.ownersOf([...asked.claims], session);
  const listed = await readListed(stores, session, asked);
  const profiles = await readProfiles(stores, session, changedBy(asked, claims, listed));
  return { claims, listed, profiles, activity: new Map() };
};

/** The later of a person's last event and last purchase, as a stamp. */
const lastActivity = async (
  { events, purchases }: Stores,
  session: Session,
  profile: string,
): Promise<number> => {
  const last = { session, sort: { time: -1 }, projection: { _id: 0, time: 1 } } as const;
  const event = await events.findOne({ profile }, last);
  const purchase = await purchases.findOne({ profile }, last);
  return 1000 * Math.max(event?.time.getTime() ?? 0, purchase?.time.getTime() ?? 0);
};

/** What only planning could tell that it is needed: whoever is found by an email that several people share. */
export const loadMore = async (
  stores: Stores,
  session: Session,
  known: Known,
  needs: Needs,
): Promise<Known> => {
  const more = await readProfiles(stores, session, needs.profiles);
  const missing = [...needs.profiles].find((id) => !more.has(id));
  if (missing !== undefined) throw new Error(`an identity leads to profile ${missing}, which does not exist`);
  const activity = new Map(known.activity);
  for (const id of needs.activity) activity.set(id, await lastActivity(stores, session, id));
  return { ...known, profiles: new Map([...known.profiles, ...more]), activity };
};

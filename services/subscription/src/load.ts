/** Reads the data that a batch needs, in as few queries as possible. The people who share a contact are not read. */
import { doubtful, joined } from '@roster/batch';
import {
  currentContactKeysOf,
  isOfPerson,
  type Needs,
  newProfile,
  nothingKnown,
  type PlanKnown,
  type Profile,
  type SubscriptionRequest,
  statementKey,
} from '@roster/profile';
import { consentMembers, readMerged, type Session, type Store } from '@roster/store';

export type SubscriptionStores = Pick<Store, 'ownersOf' | 'profiles' | 'contactConsents' | 'tombstones'>;

/** All statements, each with its identity key. */
const statementsIn = (requests: readonly SubscriptionRequest[]) =>
  requests.flatMap(({ ws, statements }) =>
    statements.map((one) => ({ ...one, ws, key: statementKey(ws, one) })),
  );

/**
 * Only these members of a profile matter here, and the others may be large. So there is no load budget: no
 * "unsubscribe" is ignored for lack of room.
 */
const members = { ...consentMembers, created_at: 1, updated_at: 1 } as const;

const readProfiles = async ({ profiles }: SubscriptionStores, session: Session, ids: ReadonlySet<string>) => {
  if (ids.size === 0) return new Map();
  const found = await profiles
    .find({ _id: { $in: [...ids] } }, { session, batchSize: ids.size + 1, projection: members })
    .toArray();
  return new Map(
    found.map((read): [string, Profile] => [read._id, { ...newProfile(read._id, read.ws, 0), ...read }]),
  );
};

export const load = async (
  stores: SubscriptionStores,
  session: Session,
  requests: readonly SubscriptionRequest[],
): Promise<PlanKnown> => {
  const all = statementsIn(requests);
  const people = new Set(all.filter(isOfPerson).map(({ key }) => key));
  const named = new Set(all.filter((one) => !isOfPerson(one)).map(({ key }) => key));
  const claims = await stores.ownersOf([...people], session);
  const serviceIds = all
    .filter(({ array }) => array === 'service_ids')
    .map((one) => ({ ...one, id: one.name }));
  const owners = [...claims.values()].map(({ profile }) => profile);
  const ids = new Set([...owners, ...serviceIds.map(({ id }) => id)]);
  const profiles = await readProfiles(stores, session, ids);
  const gone = serviceIds.filter(({ id }) => !profiles.has(id));
  const present = new Set(serviceIds.filter(({ id }) => profiles.has(id)).map(({ key }) => key));
  const doubts = doubtful(people, claims, requests).filter((key) => !present.has(key));
  const fates = await stores.tombstones.fatesOf([...doubts, ...named], session);
  const merged = await readMerged(stores, session, gone);
  const theirs = [...profiles.values()].flatMap(currentContactKeysOf);
  const contacts = await stores.contactConsents.read([...named, ...theirs], { session });
  return { ...nothingKnown, claims, merged, profiles, fates, contacts };
};

/** The needs that only planning finds: kept profiles of merged people, and contacts that people have left. */
export const loadMore = async (
  stores: SubscriptionStores,
  session: Session,
  known: PlanKnown,
  needs: Needs,
): Promise<PlanKnown> => {
  const more = await readProfiles(stores, session, needs.profiles);
  const contacts = await stores.contactConsents.read(needs.contacts, { session });
  return {
    ...known,
    profiles: joined(known.profiles, new Map([...needs.profiles].map((id) => [id, more.get(id)]))),
    contacts: joined(known.contacts, contacts),
    fates: joined(known.fates, await stores.tombstones.fatesOf(needs.fates, session)),
  };
};

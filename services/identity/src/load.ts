/** Reads the data that a batch needs, in as few queries as possible. */
import { doubtful, joined, oldestOf } from '@roster/batch';
import {
  askedBy,
  currentContactKeysOf,
  formerContactKeysOf,
  type Holder,
  type IdentityKnown,
  type IdentityNeeds,
  type IdentityRequest,
  lookupsOf,
  type Profile,
} from '@roster/profile';
import {
  holderMembers,
  type LoadBudget,
  lightMembers,
  readActivity,
  readHolders,
  readMerged,
  readProfiles,
  type Session,
  type StoresOfPeople,
} from '@roster/store';

/** Keys of the contacts that they have and had. */
const keysOf = (person: Holder): Set<string> =>
  new Set([...currentContactKeysOf(person), ...formerContactKeysOf(person)]);

const firstOf = (match: object, direction: 1 | -1, most: number) => [
  { $match: match },
  { $sort: { updated_at: direction, _id: 1 } },
  { $limit: Math.floor(most / 4) },
];

const [identified, unidentified] = [{ external_id: { $gt: '' } }, { external_id: null }];

/** The people changed last and those changed longest ago, with and without an external id: the preferred person is always among them. */
const foremost = (most: number) => [
  {
    $facet: {
      a: firstOf(identified, -1, most),
      b: firstOf(identified, 1, most),
      c: firstOf(unidentified, -1, most),
      d: firstOf(unidentified, 1, most),
    },
  },
  { $project: { person: { $setUnion: ['$a', '$b', '$c', '$d'] } } },
  { $unwind: '$person' },
  { $replaceRoot: { newRoot: '$person' } },
];

/** The order that most requests prefer: each entry sorts the people, and sorting a sorted list is cheap. */
const latestFirst = (a: Holder, b: Holder): number => b.updated_at - a.updated_at || (a._id < b._id ? -1 : 1);

const holdersOf = async (
  stores: StoresOfPeople,
  session: Session,
  keys: ReadonlySet<string>,
  since: number,
): Promise<Map<string, Holder[]>> => {
  const holders = new Map<string, Holder[]>([...keys].map((key) => [key, []]));
  const lookups = [...keys].flatMap(lookupsOf);
  const options = { since, projection: holderMembers, foremost };
  const found = await readHolders<Holder>(stores, session, lookups, options);
  const people = new Map(found.map((one) => [one._id, one]));
  for (const person of [...people.values()].sort(latestFirst))
    for (const key of keysOf(person)) holders.get(key)?.push(person);
  return holders;
};

interface ProfileIds {
  /** Only profiles that are merged are read with their attributes and lists. */
  light: ReadonlySet<string>;
  whole: ReadonlySet<string>;
}

const readPeople = async (
  { profiles: collection }: StoresOfPeople,
  session: Session,
  { light, whole }: ProfileIds,
  budget: LoadBudget,
): Promise<Pick<IdentityKnown, 'profiles' | 'whole' | 'unloaded'>> => {
  const profiles = new Map<string, Profile | undefined>([...light, ...whole].map((id) => [id, undefined]));
  const rest = new Set([...light].filter((id) => !whole.has(id)));
  const names = () => 'all' as const;
  const some = await readProfiles(collection, session, rest, { budget, names, only: lightMembers });
  const all = await readProfiles(collection, session, whole, { budget, names });
  for (const [id, profile] of [...some.profiles, ...all.profiles]) profiles.set(id, profile);
  const unloaded = new Set([...some.unloaded, ...all.unloaded]);
  for (const id of unloaded) profiles.delete(id);
  return { profiles, whole: new Set(all.profiles.keys()), unloaded };
};

export const load = async (
  stores: StoresOfPeople,
  session: Session,
  requests: readonly IdentityRequest[],
  budget: LoadBudget,
): Promise<IdentityKnown> => {
  const asked = askedBy(requests);
  const claims = await stores.ownersOf([...asked.claims], session);
  const owners = [...claims.values()].map(({ profile }) => profile);
  const light = new Set([...owners, ...asked.serviceIds.map(({ id }) => id)]);
  const whole = new Set([...asked.joining].flatMap((key) => claims.get(key)?.profile ?? []));
  const people = await readPeople(stores, session, { light, whole }, budget);
  const holders = await holdersOf(stores, session, asked.contacts, oldestOf(requests));
  const fates = await stores.tombstones.fatesOf(doubtful(asked.claims, claims, requests), session);
  const gone = asked.serviceIds.filter(({ id }) => people.profiles.get(id) === undefined);
  const merged = await readMerged(stores, session, gone);
  const unread = { activity: new Map(), contacts: new Map() };
  return { claims, holders, ...people, merged, fates, ...unread };
};

/** The needs that only planning finds. */
export const loadMore = async (
  stores: StoresOfPeople,
  session: Session,
  known: IdentityKnown,
  needs: IdentityNeeds,
  requests: readonly IdentityRequest[],
  budget: LoadBudget,
): Promise<IdentityKnown> => {
  const asking = { light: needs.profiles, whole: needs.whole };
  const people = await readPeople(stores, session, asking, budget);
  const listed = new Map([...known.holders.values()].flat().map((one) => [one._id, one]));
  const absorbedOf = (id: string): string[] => (known.profiles.get(id) ?? listed.get(id))?.absorbed ?? [];
  const activity = await readActivity(stores, session, needs.activity, absorbedOf);
  return {
    ...known,
    profiles: joined(known.profiles, people.profiles),
    whole: new Set([...known.whole, ...people.whole]),
    unloaded: new Set([...known.unloaded, ...people.unloaded]),
    holders: joined(known.holders, await holdersOf(stores, session, needs.holders, oldestOf(requests))),
    contacts: joined(known.contacts, await stores.contactConsents.read(needs.contacts, { session })),
    activity: joined(known.activity, activity),
  };
};

/** The people that a read about subscription groups names, and the consent that counts for each. */
import {
  type Consent,
  contactKeysOf,
  identityKey,
  newProfile,
  type Profile,
  statesOf,
} from '@roster/profile';
import { consentMembers, type Store } from '@roster/store';
import { type Addresses, keyOf } from './subscription-names.ts';

type ReadProfile = Pick<
  Profile,
  '_id' | 'ws' | 'external_id' | 'email_key' | 'phone_key' | 'fields' | 'consents' | 'contacts'
>;

export interface PageRange {
  skip: number;
  limit: number;
}

const filterOf = (ws: string, { by, names }: Addresses) => {
  const keys = names.map((name) => keyOf(by, name));
  return by === 'email' ? { ws, email_key: { $in: keys } } : { ws, phone_key: { $in: keys } };
};

export type SubscriptionPerson = ReadProfile & { effective: Consent[] };

/** All of them, so many at a time. */
async function* inPages<One>(all: AsyncIterable<One>, size: number): AsyncGenerator<One[]> {
  let page: One[] = [];
  for await (const one of all) {
    page.push(one);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

type SubscriptionPeopleStores = Pick<Store, 'ownersOf' | 'profiles' | 'contactConsents'>;

const withConsents = async (
  { contactConsents }: SubscriptionPeopleStores,
  people: readonly ReadProfile[],
): Promise<SubscriptionPerson[]> => {
  const all = people.map((one) => ({ ...newProfile(one._id, one.ws, 0), ...one }));
  const contacts = await contactConsents.read(all.flatMap(contactKeysOf));
  return all.map((one) => ({ ...one, effective: statesOf(one, contacts) }));
};

/** By the external id that was asked for. */
const byExternalIds = async (store: SubscriptionPeopleStores, ws: string, ids: readonly string[]) => {
  const keys = new Map(ids.map((id) => [id, identityKey(ws, { by: 'external_id', id })]));
  const owners = await store.ownersOf([...keys.values()]);
  const wanted = [...new Set([...owners.values()].map(({ profile }) => profile))];
  const found = await store.profiles
    .find<ReadProfile>({ _id: { $in: wanted } }, { projection: consentMembers })
    .toArray();
  const people = new Map((await withConsents(store, found)).map((one) => [one._id, one]));
  return new Map(
    [...keys].flatMap(([id, key]) => {
      const person = people.get(owners.get(key)?.profile ?? '');
      return person ? [[id, person]] : [];
    }),
  );
};

export const createReading = (store: SubscriptionPeopleStores) => ({
  saidOf: (keys: readonly string[]) => store.contactConsents.read(keys),

  byExternalIds: (ws: string, ids: readonly string[]) => byExternalIds(store, ws, ids),

  async byAddresses(ws: string, wanted: Addresses, page: PageRange): Promise<SubscriptionPerson[]> {
    const options = { projection: consentMembers, sort: { _id: 1 }, ...page } as const;
    return withConsents(
      store,
      await store.profiles.find<ReadProfile>(filterOf(ws, wanted), options).toArray(),
    );
  },
  async *pagesByAddresses(ws: string, wanted: Addresses, size: number): AsyncGenerator<SubscriptionPerson[]> {
    const options = { projection: consentMembers, batchSize: size } as const;
    const all = store.profiles.find<ReadProfile>(filterOf(ws, wanted), options);
    for await (const page of inPages(all, size)) yield await withConsents(store, page);
  },
  count: (ws: string, wanted: Addresses): Promise<number> =>
    store.profiles.countDocuments(filterOf(ws, wanted)),
});

export type ReadingPeople = ReturnType<typeof createReading>;

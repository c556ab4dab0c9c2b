/** People as the workers store them, and what is stored of them. */
import {
  type ConsentState,
  contactKeysOf,
  emailKey,
  identityKey,
  newProfile,
  type Profile,
  statesOf,
} from '@roster/profile';
import type { Store } from '@roster/store';

export interface TestPerson {
  external_id?: string;
  /** Label and name. */
  aliases?: Record<string, string>;
  email?: string;
  phone?: string;
  more?: Partial<Profile>;
}

/** Has everything since this stamp. */
export const aProfile = (_id: string, at: number, person: TestPerson = {}, ws = 'demo'): Profile => {
  const { external_id, aliases, email, phone, more } = person;
  return {
    ...newProfile(_id, ws, at),
    ...(external_id !== undefined && { external_id }),
    ...(aliases && { aliases: Object.entries(aliases).map(([label, name]) => ({ label, name })) }),
    ...(email !== undefined && { email_key: emailKey(email) }),
    ...(phone !== undefined && { phone_key: phone }),
    fields: {
      ...(email !== undefined && { email: { v: email, at } }),
      ...(phone !== undefined && { phone: { v: phone, at } }),
    },
    ...more,
  };
};

/** The keys that lead to a person. */
export const claimKeysOf = ({ ws, external_id, former_ids = [], aliases = [] }: Profile): string[] => [
  ...[...(external_id === undefined ? [] : [external_id]), ...former_ids].map((id) =>
    identityKey(ws, { by: 'external_id', id }),
  ),
  ...aliases.map(({ label, name }) => identityKey(ws, { by: 'user_alias', label, name })),
];

/** Many at once, with their claims. */
export const storeProfiles = async (
  { profiles, identities }: Store,
  people: Profile[],
): Promise<Profile[]> => {
  const claims = people.flatMap((one) =>
    claimKeysOf(one).map((_id) => ({ _id, profile: one._id, at: one.created_at })),
  );
  await profiles.insertMany(people);
  if (claims.length > 0) await identities.insertMany(claims);
  return people;
};

/** People are named by their external ids. */
export const createReading = (store: Store, ws = 'demo') => {
  const claimOf = async (id: string): Promise<string | undefined> =>
    (await store.identities.findOne({ _id: identityKey(ws, { by: 'external_id', id }) }))?.profile;

  const storedOf = async (id: string): Promise<Profile> => {
    const found = await store.profiles.findOne({ _id: (await claimOf(id)) ?? '' });
    if (!found) throw new Error(`no person is ${id}`);
    return found;
  };

  return {
    claimOf,
    storedOf,

    /** The statements about an email or phone. */
    async saidOf(contact: string) {
      const isEmail = contact.includes('@');
      const key = identityKey(
        ws,
        isEmail ? { by: 'email', email: contact } : { by: 'phone', phone: contact },
      );
      return (await store.contacts.findOne({ _id: key }))?.consents ?? [];
    },

    /** The state that counts for a person, by register. */
    async consentsOf(id: string): Promise<Record<string, ConsentState | null>> {
      const profile = await storedOf(id);
      const contacts = await store.contactConsents.read(contactKeysOf(profile));
      return Object.fromEntries(statesOf(profile, contacts).map(({ k, v }) => [k, v]));
    },
  };
};

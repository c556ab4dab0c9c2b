/** The people that a read about subscription groups names, and the consent that counts for each. */
import { isE164, isEmail, Rejection } from '@roster/contract';
import {
  type Consent,
  contactKeysOf,
  emailKey,
  identityKey,
  newProfile,
  type Profile,
  statesOf,
} from '@roster/profile';
import { consentMembers, type Store } from '@roster/store';

interface Asking {
  external_id?: string[] | undefined;
  email?: string[] | undefined;
  phone?: string[] | undefined;
}

export interface Names {
  by: 'external_id' | 'email' | 'phone';
  names: string[];
}

/** A `+` that was not encoded comes as a space. */
export const phoneIn = (sent: string): string => {
  const phone = sent.startsWith(' ') ? `+${sent.slice(1)}` : sent;
  if (isE164(phone)) return phone;
  throw new Rejection('PHONE_NOT_E164', { message: 'phone is not in the E.164 format' });
};

/** An email holds no space: one inside of it was a `+` that was not encoded. */
export const emailIn = (sent: string): string => {
  const text = sent.trim();
  const email = text.replaceAll(' ', '+');
  return text.includes(' ') && isEmail(email) ? email : sent;
};

/** External ids win; emails and phones do not go together. */
export const namesIn = ({ external_id = [], email = [], phone = [] }: Asking): Names => {
  if (external_id.length > 0) return { by: 'external_id', names: external_id };
  if (email.length > 0 && phone.length > 0) throw new Rejection('EMAIL_AND_PHONE');
  if (email.length > 0) return { by: 'email', names: email.map(emailIn) };
  if (phone.length > 0) return { by: 'phone', names: phone.map(phoneIn) };
  throw new Rejection('NOBODY_NAMED');
};

/** As emails and phones are compared. */
export const keyOf = (by: 'email' | 'phone', name: string): string =>
  by === 'email' ? emailKey(name) : name;

type Read = Pick<
  Profile,
  '_id' | 'ws' | 'external_id' | 'email_key' | 'phone_key' | 'fields' | 'consents' | 'contacts'
>;

interface Page {
  skip: number;
  limit: number;
}

const filterOf = (ws: string, by: 'email' | 'phone', names: readonly string[]) => {
  const keys = names.map((name) => keyOf(by, name));
  return by === 'email' ? { ws, email_key: { $in: keys } } : { ws, phone_key: { $in: keys } };
};

export type Person = Read & { effective: Consent[] };

export const createReading = (store: Pick<Store, 'ownersOf' | 'profiles' | 'contactConsents'>) => {
  const withConsents = async (people: readonly Read[]): Promise<Person[]> => {
    const all = people.map((one) => ({ ...newProfile(one._id, one.ws, 0), ...one }));
    const contacts = await store.contactConsents.read(all.flatMap(contactKeysOf));
    return all.map((one) => ({ ...one, effective: statesOf(one, contacts) }));
  };

  return {
    saidOf: (keys: readonly string[]) => store.contactConsents.read(keys),

    /** By the external id that was asked for. */
    async byExternalIds(ws: string, ids: readonly string[]): Promise<Map<string, Person>> {
      const keys = new Map(ids.map((id) => [id, identityKey(ws, { by: 'external_id', id })]));
      const owners = await store.ownersOf([...keys.values()]);
      const wanted = [...new Set([...owners.values()].map(({ profile }) => profile))];
      const found = await store.profiles
        .find<Read>({ _id: { $in: wanted } }, { projection: consentMembers })
        .toArray();
      const people = new Map((await withConsents(found)).map((one) => [one._id, one]));
      return new Map(
        [...keys].flatMap(([id, key]) => {
          const person = people.get(owners.get(key)?.profile ?? '');
          return person ? [[id, person]] : [];
        }),
      );
    },

    async byAddresses(
      ws: string,
      { by, names }: Names & { by: 'email' | 'phone' },
      { skip, limit }: Page,
    ): Promise<Person[]> {
      const options = { projection: consentMembers, sort: { _id: 1 }, skip, limit } as const;
      return withConsents(await store.profiles.find<Read>(filterOf(ws, by, names), options).toArray());
    },

    /** All of them, so many at a time. */
    async *pagesByAddresses(
      ws: string,
      { by, names }: Names & { by: 'email' | 'phone' },
      size: number,
    ): AsyncGenerator<Person[]> {
      let page: Read[] = [];
      for await (const one of store.profiles.find<Read>(filterOf(ws, by, names), {
        projection: consentMembers,
        batchSize: size,
      })) {
        page.push(one);
        if (page.length < size) continue;
        yield await withConsents(page);
        page = [];
      }
      if (page.length > 0) yield await withConsents(page);
    },

    count: (ws: string, { by, names }: Names & { by: 'email' | 'phone' }): Promise<number> =>
      store.profiles.countDocuments(filterOf(ws, by, names)),
  };
};

export type ReadingPeople = ReturnType<typeof createReading>;

/** The history of consent: read on demand; of erased people the part that is kept as proof. */
import {
  type ConsentChange,
  consentHistory,
  contactHistory,
  contactKeysOf,
  type Identifier,
  identityKey,
  newestFirst,
  type Profile,
} from '@roster/profile';
import { makingSecret, type Secrets } from '@roster/secrets';
import type { Session } from '../connection/db.ts';
import { digestOf, digestsOf, secretsFrom } from '../identifiers/tombstones.ts';
import type { CollectionsOf } from '../models/models.ts';
import type { ContactConsentsStore } from './contacts.ts';

interface ConsentStores extends CollectionsOf<'consents' | 'profiles' | 'identities'> {
  contactConsents: ContactConsentsStore;
}

/** An erased person: their service ids, the identity keys that only they had, and all changes of their consent. */
export interface Proven {
  ws: string;
  profiles: readonly string[];
  keys: readonly string[];
  history: readonly ConsentChange[];
}

const personBy = async ({ profiles, identities }: ConsentStores, ws: string, identifier: Identifier) => {
  if (identifier.by === 'service_id') {
    const { id } = identifier;
    return (await profiles.findOne({ _id: id, ws })) ?? profiles.findOne({ ws, absorbed: id });
  }
  const claim = await identities.findOne({ _id: identityKey(ws, identifier) });
  return claim && profiles.findOne({ _id: claim.profile });
};

const proofOf = ({ ws, profiles, keys, history }: Proven, secrets: Secrets | undefined) => {
  const names = [...keys, ...profiles.map((id) => identityKey(ws, { by: 'service_id', id }))];
  const proof = [...new Set(names.map((key) => digestOf(makingSecret(secretsFrom(secrets)), key)))];
  return history.map((change, place) => ({ _id: `proof:${profiles[0]}:${place}`, ws, ...change, proof }));
};

export const createConsents = (stores: ConsentStores, secrets: Secrets | undefined) => {
  const { consents, contactConsents } = stores;
  const ofPerson = async (profile: Profile): Promise<ConsentChange[]> =>
    consentHistory(profile, await contactConsents.read(contactKeysOf(profile)));

  const ofContact = async (key: string): Promise<ConsentChange[]> =>
    contactHistory((await contactConsents.read([key])).get(key) ?? []);

  /** The proof of an erased person, found by an identifier that they had. */
  const ofErased = async (key: string): Promise<ConsentChange[]> => {
    if (secrets === undefined) return [];
    const rows = await consents.find({ proof: { $in: digestsOf(secrets, key) } }).toArray();
    return rows.map(({ _id, ws, proof, ...change }): ConsentChange => change).toSorted(newestFirst);
  };

  return {
    /** Newest first; for an email or phone, the changes of the contact. `undefined`: no such person, and no proof. */
    async find(ws: string, identifier: Identifier): Promise<ConsentChange[] | undefined> {
      const key = identityKey(ws, identifier);
      const isContact = identifier.by === 'email' || identifier.by === 'phone';
      const profile = isContact ? null : await personBy(stores, ws, identifier);
      const found = isContact ? await ofContact(key) : profile && (await ofPerson(profile));
      if (found && (found.length > 0 || !isContact)) return found;
      const kept = await ofErased(key);
      return kept.length > 0 ? kept : undefined;
    },

    /** In the transaction that deletes the people, under digests only: the rows do not reveal the person, but an identifier finds them. */
    async prove(session: Session, all: readonly Proven[]): Promise<void> {
      const rows = all.flatMap((one) => proofOf(one, secrets));
      if (rows.length > 0) await consents.insertMany(rows, { session });
    },
  };
};

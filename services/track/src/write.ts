/** Writes a plan. Profiles come first: if another batch is in the way, it shows before anything else is done. */
import type { Identity, Profile } from '@roster/profile';
import type { EventDocument, IdentityDocument, PurchaseDocument, Session, Store } from '@roster/store';

export interface Writes {
  changed: readonly Profile[];
  created: readonly Profile[];
  claims: readonly Identity[];
  locks: readonly Identity[];
  events: readonly EventDocument[];
  purchases: readonly PurchaseDocument[];
}

type Stores = Pick<Store, 'profiles' | 'identities' | 'events' | 'purchases'>;

const identityOf = ({ key, profile, at }: Identity): IdentityDocument => ({ _id: key, profile, at });

/** Read in this transaction, so a change of another one in between is a conflict: replacing whole documents loses nothing. */
const replacement = (profile: Profile) => ({
  replaceOne: { filter: { _id: profile._id }, replacement: profile },
});

/** Written even if there: two who create a person by one email at once must collide, whatever happened to it before. */
const lock = ({ key, profile, at }: Identity) => ({
  updateOne: { filter: { _id: key }, update: { $set: { profile, at } }, upsert: true },
});

export const writePeople = async (stores: Stores, session: Session, writes: Writes): Promise<void> => {
  const { changed, created, claims, locks } = writes;
  const { profiles, identities } = stores;
  if (changed.length > 0) await profiles.bulkWrite(changed.map(replacement), { session });
  if (claims.length > 0) await identities.insertMany(claims.map(identityOf), { session });
  if (locks.length > 0) await identities.bulkWrite(locks.map(lock), { session });
  if (created.length > 0) await profiles.insertMany([...created], { session });
};

export const writeRows = async (
  stores: Stores,
  session: Session,
  { events, purchases }: Writes,
): Promise<void> => {
  if (events.length > 0) await stores.events.insertMany([...events], { session });
  if (purchases.length > 0) await stores.purchases.insertMany([...purchases], { session });
};

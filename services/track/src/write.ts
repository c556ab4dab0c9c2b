/** Writes a plan. Profiles come first: if another batch is in the way, it shows before anything else is done. */
import type { Identity } from '@roster/profile';
import {
  changeOf,
  type EventRow,
  type IdentityDocument,
  type PurchaseRow,
  type Session,
  type Store,
  type WithRequest,
} from '@roster/store';
import type { ReadyTrack } from './planner.ts';
import { gainedIn, locksOf, takeFromOthers } from './token-owners.ts';

export interface Rows {
  events: readonly WithRequest<EventRow>[];
  purchases: readonly WithRequest<PurchaseRow>[];
}

type TrackStores = Pick<Store, 'profiles' | 'identities' | 'contactConsents' | 'events' | 'purchases'>;

const identityOf = ({ key, profile, at }: Identity): IdentityDocument => ({ _id: key, profile, at });

const reach = ({ key, at }: Identity) => ({
  updateOne: { filter: { _id: key }, update: { $min: { at } } },
});

/** Written even if it exists: two batches that create a person by one email, or give one push token to two people, at once must collide, in any order. */
const lock = ({ key, profile, at }: Identity) => ({
  updateOne: { filter: { _id: key }, update: { $set: { profile, at } }, upsert: true },
});

export const writePeople = async (
  stores: TrackStores,
  session: Session,
  ready: ReadyTrack,
): Promise<void> => {
  const { changed, created, claims, reached, locks, contacts } = ready;
  const { profiles, identities } = stores;
  const gained = gainedIn(ready);
  const all = [...locks, ...locksOf(gained)];
  if (changed.length > 0) await profiles.bulkWrite(changed.map(changeOf), { session });
  if (claims.length > 0) await identities.insertMany(claims.map(identityOf), { session });
  if (reached.length > 0) await identities.bulkWrite(reached.map(reach), { session });
  if (all.length > 0) await identities.bulkWrite(all.map(lock), { session });
  await stores.contactConsents.write(session, contacts);
  if (created.length > 0) await profiles.insertMany([...created], { session });
  await takeFromOthers(stores, session, gained);
};

export const writeRows = async (stores: TrackStores, session: Session, { events, purchases }: Rows) => {
  await stores.events.insert(events, session);
  await stores.purchases.insert(purchases, session);
};

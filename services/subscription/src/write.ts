/** Writes a plan. Profiles come first: a conflict with another batch shows before anything else is done. */
import type { ChangedProfile, ContactWrite } from '@roster/profile';
import type { Session, Store } from '@roster/store';

export interface Writes {
  changed: readonly ChangedProfile[];
  contacts: readonly ContactWrite[];
}

/** No other member changes here. Read in this transaction, so a change in between is a conflict. */
const change = ({ after: { _id, consents, created_at, updated_at } }: ChangedProfile) => ({
  updateOne: {
    filter: { _id },
    update: { $set: { consents, created_at, updated_at } },
  },
});

export const writePlan = async (
  { profiles, contactConsents }: Pick<Store, 'profiles' | 'contactConsents'>,
  session: Session,
  writes: Writes,
): Promise<void> => {
  if (writes.changed.length > 0) await profiles.bulkWrite(writes.changed.map(change), { session });
  await contactConsents.write(session, writes.contacts);
};

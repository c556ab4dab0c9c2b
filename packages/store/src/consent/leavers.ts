/** People who have left an email or phone of which statements are about to be forgotten. */
import { type ContactWrite, contactIn, withKeptOf } from '@roster/profile';
import type { Collection, Session } from '../connection/db.ts';
import type { ProfileDocument } from '../models/people.ts';

/** A projection: the members of a profile that its consent is read from. */
export const consentMembers = {
  ws: 1,
  external_id: 1,
  email_key: 1,
  phone_key: 1,
  'fields.email': 1,
  'fields.phone': 1,
  consents: 1,
  contacts: 1,
} as const;

/** The number of leavers of a contact that keep its late statements: the last ones. */
export const mostLeavers = 100;

/**
 * A person keeps the statements about a contact when they leave it. A statement that was accepted before that and is applied after it stands
 * only with the contact. Here it is added to the people who left.
 */
export const keepForLeavers = async (
  profiles: Collection<ProfileDocument>,
  session: Session,
  { ws, key, consents }: Pick<ContactWrite, 'ws' | 'key' | 'consents'>,
): Promise<void> => {
  const contact = contactIn(key);
  if (!contact || consents.length === 0) return;
  const leavers = await profiles
    .find(
      { ws, 'contacts.v': contact.value, contacts_at: { $exists: true } },
      { session, projection: consentMembers },
    )
    .sort({ contacts_at: -1 })
    .limit(mostLeavers)
    .toArray();
  const writes = leavers.flatMap((one) => {
    const leaver = { ...one, fields: one.fields ?? {}, consents: one.consents ?? [] };
    const kept = withKeptOf(leaver, key, consents);
    return kept ? [{ updateOne: { filter: { _id: one._id }, update: { $set: { consents: kept } } } }] : [];
  });
  if (writes.length > 0) await profiles.bulkWrite(writes, { session });
};

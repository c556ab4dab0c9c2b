/** Writes a plan. Profiles come first: if somebody else is in the way, it shows before anything else is done. */
import type { Address, Changed, ConsentRow } from '@roster/profile';
import { type Session, type Store, writeAddresses } from '@roster/store';

export interface Writes {
  changed: readonly Changed[];
  addresses: readonly Address[];
  consents: readonly ConsentRow[];
}

/** Nothing else of them changes here. Read in this transaction, so a change of another one in between is a conflict. */
const change = ({ after: { _id, consents, created_at, updated_at } }: Changed) => ({
  updateOne: { filter: { _id }, update: { $set: { consents, created_at, updated_at } } },
});

export const writePlan = async (
  { profiles, addresses, consentHistory }: Pick<Store, 'profiles' | 'addresses' | 'consentHistory'>,
  session: Session,
  writes: Writes,
  opOf: (request: string) => string,
): Promise<void> => {
  if (writes.changed.length > 0) await profiles.bulkWrite(writes.changed.map(change), { session });
  await writeAddresses(addresses, session, writes.addresses);
  await consentHistory.write(session, writes.consents, opOf);
};

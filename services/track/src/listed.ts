/** Lists the people that the emails, phones, push tokens and service ids of a batch may mean, now or when it was accepted: only the members needed to find them. */
import { type Holder, lookupsOf } from '@roster/profile';
import { holderMembers, readHolders, type Session, type Store } from '@roster/store';
import type { TrackLookups } from './asked.ts';

const listing = { ...holderMembers, token_keys: 1, aliases: 1 } as const;

/** The people that rank first by their last change, without later events and purchases. */
const foremost = (most: number) => [
  { $set: { identified: { $gt: ['$external_id', null] } } },
  { $sort: { identified: -1, updated_at: -1, _id: 1 } },
  { $limit: most },
  { $unset: 'identified' },
];

export const readListed = async (
  stores: Pick<Store, 'profiles'>,
  session: Session,
  { since, shared, serviceIds }: TrackLookups,
) => {
  const lookups = [...shared].flatMap(lookupsOf);
  const found = await readHolders<Holder>(stores, session, lookups, { since, projection: listing, foremost });
  const ids = [...serviceIds.values()].map(({ id }) => id);
  const options = { session, batchSize: 10_000, projection: listing };
  const named =
    ids.length > 0 ? await stores.profiles.find<Holder>({ _id: { $in: ids } }, options).toArray() : [];
  return new Map([...found, ...named].map((person) => [person._id, person]));
};

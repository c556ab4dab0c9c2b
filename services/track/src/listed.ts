/** Lists the people that the emails, phones, push tokens and service ids of a batch may mean, now or when it was accepted: only the members needed to find them. */
import type { Holder } from '@roster/profile';
import { type HolderLookup, holderMembers, readHolders, type Session, type Store } from '@roster/store';
import type { TrackLookups } from './asked.ts';

const listing = { ...holderMembers, token_keys: 1, aliases: 1 } as const;

const lookupsIn = ({ emails, phones, tokens }: TrackLookups): HolderLookup[] =>
  (
    [
      ['email_key', emails],
      ['phone_key', phones],
      ['contacts.v', emails],
      ['contacts.v', phones],
      ['token_keys', tokens],
    ] as const
  ).flatMap(([by, all]) =>
    [...all].flatMap(([ws, values]) => [...values].map((value) => ({ ws, by, value }))),
  );

/** The people that rank first by their last change, without later events and purchases. */
const foremost = (most: number) => [
  { $set: { identified: { $gt: ['$external_id', null] } } },
  { $sort: { identified: -1, updated_at: -1, _id: 1 } },
  { $limit: most },
  { $unset: 'identified' },
];

export const readListed = async (stores: Pick<Store, 'profiles'>, session: Session, asked: TrackLookups) => {
  const listed = new Map<string, Holder>();
  const { since } = asked;
  const lookups = lookupsIn(asked);
  const options = { since, projection: listing, foremost };
  for (const person of await readHolders<Holder>(stores, session, lookups, options))
    listed.set(person._id, person);
  if (asked.serviceIds.size > 0)
    for (const person of await stores.profiles
      .find<Holder>(
        { _id: { $in: [...asked.serviceIds.values()].map(({ id }) => id) } },
        { session, batchSize: 10_000, projection: listing },
      )
      .toArray())
      listed.set(person._id, person);
  return listed;
};

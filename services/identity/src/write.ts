/** Writes a plan. Profiles come first: a conflict with another batch shows before anything else is done. */
import type { Changed } from '@roster/profile';
import { difference, expiryOf, type Session } from '@roster/store';
import { erase, type Stores, type Writes } from './erase.ts';

/** Read in this transaction, so a change in between is a conflict: unwritten parts are as they were read. */
const change = ({ before, after }: Changed) => ({
  updateOne: { filter: { _id: before._id }, update: difference(before, after) },
});

const writeProfiles = async (
  { profiles }: Stores,
  session: Session,
  { created, changed, removed }: Writes,
): Promise<void> => {
  const update = async () => {
    if (changed.length > 0) await profiles.bulkWrite(changed.map(change), { session });
  };
  const remove = async () => {
    if (removed.length > 0) await profiles.deleteMany({ _id: { $in: removed } }, { session });
  };
  // All batches write in the order of service ids: of two opposite merges, only one has to give way.
  const removesFirst = (removed[0] ?? '~') < (changed[0]?.before._id ?? '~');
  for (const write of removesFirst ? [remove, update] : [update, remove]) await write();
  if (created.length > 0) await profiles.insertMany(created, { session });
};

const move = ({ key, ...claim }: Writes['claims']['moved'][number]) => ({
  updateOne: { filter: { _id: key }, update: { $set: claim } },
});

const writeClaims = async (
  { identities }: Stores,
  session: Session,
  { claims: { added, moved, dropped } }: Writes,
): Promise<void> => {
  if (dropped.length > 0) await identities.deleteMany({ _id: { $in: dropped } }, { session });
  if (moved.length > 0) await identities.bulkWrite(moved.map(move), { session });
  if (added.length > 0)
    await identities.insertMany(
      added.map(({ key, profile, at }) => ({ _id: key, profile, at })),
      { session },
    );
};

export const writePlan = async (stores: Stores, session: Session, writes: Writes): Promise<void> => {
  await writeProfiles(stores, session, writes);
  await writeClaims(stores, session, writes);
  await stores.contactConsents.write(session, writes.contacts);
  const applied = new Date();
  const tombstones = writes.tombstones.map(({ until = writes.now, ...one }) => ({
    ...one,
    at: until,
    expires: expiryOf(applied, writes.daysOf(one.ws)),
  }));
  await stores.tombstones.write(tombstones, session);
  await erase(stores, session, writes);
};

/** Writes a plan. Profiles come first: if somebody else is in the way, it shows before anything else is done. */
import type { Changed, IdentityWrites } from '@roster/profile';
import {
  difference,
  expiryOf,
  type Session,
  type Store,
  type SweepDocument,
  writeAddresses,
} from '@roster/store';

export type Stores = Pick<
  Store,
  'profiles' | 'identities' | 'tombstones' | 'addresses' | 'sweeps' | 'consentHistory'
>;

export interface Writes extends IdentityWrites {
  /** Later than every request whose effect has been seen. */
  now: number;
  daysOf(ws: string): number;
  /** The operation of a request. */
  opOf(request: string): string;
}

/** Read in this transaction, so a change of another one in between is a conflict: what is not written is as it was read. */
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
  // Who is first in everybody's order is touched first: of two merges that cross, only one has to give way.
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

const lockKinds: ReadonlySet<string> = new Set(['m', 'p', 't']);

/** Keys of emails, phones and push tokens: what was said about them, and what people collide by who come with them at once. */
export const lockKeysIn = (keys: readonly string[]): string[] =>
  keys.filter((key) => lockKinds.has(key.split(':', 2)[1] ?? ''));

const erase = async (
  { addresses, identities, sweeps }: Stores,
  session: Session,
  { sweeps: all, now }: Writes,
): Promise<void> => {
  if (all.length === 0) return;
  const locks = all.flatMap(({ keys }) => lockKeysIn(keys));
  if (locks.length > 0) {
    await addresses.deleteMany({ _id: { $in: locks } }, { session });
    await identities.deleteMany({ _id: { $in: locks } }, { session });
  }
  const due = new Date();
  const documents = all.map(({ ws, profiles, keys }): SweepDocument => {
    return { _id: profiles[0] ?? '', ws, profiles, keys, at: now, round: 1, due };
  });
  await sweeps.insertMany(documents, { session });
};

export const writePlan = async (stores: Stores, session: Session, writes: Writes): Promise<void> => {
  await writeProfiles(stores, session, writes);
  await writeClaims(stores, session, writes);
  await writeAddresses(stores.addresses, session, writes.addresses);
  const applied = new Date();
  const burials = writes.buried.map((one) => ({
    ...one,
    at: writes.now,
    expires: expiryOf(applied, writes.daysOf(one.ws)),
  }));
  await stores.tombstones.write(burials, session);
  await erase(stores, session, writes);
  await stores.consentHistory.write(session, writes.consents, writes.opOf);
};

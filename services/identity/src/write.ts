/** Writes a plan. Profiles come first: a conflict with another batch shows before anything else is done. */
import { type IdentityWrites, type KeyKind, keyParts } from '@roster/profile';
import { changeOf, expiryOf, type Session, type Store, type SweepDocument } from '@roster/store';

export type IdentityStores = Pick<
  Store,
  'profiles' | 'identities' | 'tombstones' | 'contactConsents' | 'sweeps' | 'consentHistory'
>;

export interface Writes extends IdentityWrites {
  /** Later than every request whose effect has been seen. */
  now: number;
  daysOf(ws: string): number;
  /** Whether a workspace keeps proof of the consent of deleted people. */
  keepsProof(ws: string): boolean;
}

const writeProfiles = async (
  { profiles }: IdentityStores,
  session: Session,
  { created, changed, removed }: Writes,
): Promise<void> => {
  const update = async () => {
    if (changed.length > 0) await profiles.bulkWrite(changed.map(changeOf), { session });
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
  { identities }: IdentityStores,
  session: Session,
  { claims: { added, moved, dropped } }: Writes,
): Promise<void> => {
  if (dropped.length > 0) await identities.deleteMany({ _id: { $in: dropped } }, { session });
  if (moved.length > 0) await identities.bulkWrite(moved.map(move), { session });
  const fresh = added.map(({ key, profile, at }) => ({ _id: key, profile, at }));
  if (fresh.length > 0) await identities.insertMany(fresh, { session });
};

const lockKinds: ReadonlySet<KeyKind | undefined> = new Set<KeyKind>(['email', 'phone', 'push_token']);

/** Keys of emails, phones and push tokens: two requests that create people with the same one at once collide by them. */
export const lockKeysIn = (keys: readonly string[]): string[] =>
  keys.filter((key) => lockKinds.has(keyParts(key)?.by));

const erase = async (
  { identities, sweeps, consentHistory }: IdentityStores,
  session: Session,
  { sweeps: all, now, keepsProof }: Writes,
): Promise<void> => {
  if (all.length === 0) return;
  const locks = all.flatMap(({ keys }) => lockKeysIn(keys));
  if (locks.length > 0) await identities.deleteMany({ _id: { $in: locks } }, { session });
  const due = new Date();
  const documents = all.map(({ ws, profiles, keys, former, at: accepted, until }): SweepDocument => {
    const more = { ...(former.length > 0 && { former }), ...(until !== undefined && { until }) };
    return { _id: profiles[0] ?? '', ws, profiles, keys, ...more, at: now, accepted, round: 1, due };
  });
  await sweeps.insertMany(documents, { session });
  const proven = all.filter(({ ws }) => keepsProof(ws));
  await consentHistory.prove(session, proven);
};

export const writePlan = async (stores: IdentityStores, session: Session, writes: Writes): Promise<void> => {
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

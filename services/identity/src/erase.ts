/** Writes the erasure of deleted people. */
import { type IdentityWrites, type KeyKind, keyParts } from '@roster/profile';
import type { Session, Store, SweepDocument } from '@roster/store';

export type Stores = Pick<
  Store,
  'profiles' | 'identities' | 'tombstones' | 'contactConsents' | 'sweeps' | 'consentHistory'
>;

export interface Writes extends IdentityWrites {
  /** Later than every request with an effect on the loaded people. */
  now: number;
  daysOf(ws: string): number;
  /** Whether a workspace keeps proof of the consent of deleted people. */
  keepsProof(ws: string): boolean;
}

const lockKinds: ReadonlySet<KeyKind | undefined> = new Set<KeyKind>(['email', 'phone', 'push_token']);

/** Keys of emails, phones and push tokens: two requests that create people with the same one at once collide by them. */
export const lockKeysIn = (keys: readonly string[]): string[] =>
  keys.filter((key) => lockKinds.has(keyParts(key)?.by));

export const erase = async (
  { identities, sweeps, consentHistory }: Stores,
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
  await consentHistory.prove(
    session,
    all.filter(({ ws }) => keepsProof(ws)),
  );
};

/**
 * Statements about contacts without an owner, when their 30 days are over: they are removed, except "unsubscribed". Contact by
 * contact, each in a transaction of its own; a run can be repeated and can stop at any point.
 */
import { type ContactDocument, isHeld, keepForLeavers, type Session, type Store } from '@roster/store';

export interface OrphanSweepOptions {
  store: Store;
  /** The most contacts that one run checks. */
  most?: number;
  /** For tests. */
  now?(): Date;
}

const stepSize = 100;

const isForGood = ({ v }: ContactDocument['consents'][number]): boolean => v === 'unsubscribed';

export const createOrphanSweep = ({ store, most = 10_000, now = () => new Date() }: OrphanSweepOptions) => {
  const { contacts, profiles, transact } = store;

  const decide = async (session: Session, _id: string): Promise<void> => {
    const found: ContactDocument | null = await contacts.findOne({ _id }, { session });
    if (!found?.due || found.due > now()) return;
    const consents = (await isHeld(profiles, _id, session))
      ? found.consents
      : found.consents.filter(isForGood);
    if (consents.length < found.consents.length)
      await keepForLeavers(profiles, session, { ...found, key: _id });
    if (consents.length === 0) await contacts.deleteOne({ _id }, { session });
    else await contacts.updateOne({ _id }, { $set: { consents }, $unset: { due: '' } }, { session });
  };

  /** Says how many contacts it has decided. */
  return async (): Promise<number> => {
    let count = 0;
    while (count < most) {
      const due = { due: { $lte: now() } };
      const found = await contacts.find(due, { projection: { _id: 1 }, limit: stepSize }).toArray();
      for (const { _id } of found) await transact((session) => decide(session, _id));
      count += found.length;
      if (found.length < stepSize) break;
    }
    return count;
  };
};

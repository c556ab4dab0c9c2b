/** Removes the documents that deleted people leave behind. Each step can be repeated. */
import { chunks } from '@roster/batch';
import { identityKey } from '@roster/profile';
import type { Store, SweepDocument } from '@roster/store';
import { createEraseContacts } from './erase-contacts.ts';
import type { EraseLetters } from './erase-letters.ts';

/** The service is going down; the sweep goes on in another process. */
export class Stopped extends Error {}

interface Erasing {
  store: Store;
  eraseLetters: EraseLetters;
  stopping(): boolean;
}

const idsAtOnce = 500;

/** Rows of data integrations that failed, and are kept to be looked at. */
const removeSyncRows = async (
  { syncs }: Store,
  { ws, profiles, keys, former = [] }: SweepDocument,
): Promise<void> => {
  const ids = profiles.map((id) => identityKey(ws, { by: 'service_id', id }));
  for (const persons of chunks([...ids, ...keys, ...former], idsAtOnce))
    await syncs.rows.deleteMany({ person: { $in: persons } });
};

export const createErasePeople = ({ store, eraseLetters, stopping }: Erasing) => {
  const mayGoOn = (): void => {
    if (stopping()) throw new Stopped();
  };
  const eraseContacts = createEraseContacts(store);
  const removeRowsOf = async (ids: readonly string[]): Promise<void> => {
    await store.events.remove(ids, mayGoOn);
    await store.purchases.remove(ids, mayGoOn);
    // After the rows: a step of retention that was under way with them has ended by then.
    await store.totals.remove(ids);
    await store.removeSends(ids, mayGoOn);
    await store.identities.deleteMany({ profile: { $in: [...ids] } });
  };

  return async (sweeps: readonly SweepDocument[]): Promise<void> => {
    const people = sweeps.flatMap(({ profiles }) => profiles);
    for (const ids of chunks(people, idsAtOnce)) await removeRowsOf(ids);
    for (const sweep of sweeps) await eraseContacts(sweep);
    for (const sweep of sweeps) await removeSyncRows(store, sweep);
    await eraseLetters(sweeps);
  };
};

export type ErasePeople = ReturnType<typeof createErasePeople>;

/** Removes the documents that deleted people leave behind. Each step can be repeated. */
import { chunks } from '@roster/batch';
import { parseExact, stringifyExact } from '@roster/contract';
import { identityKey } from '@roster/profile';
import { isHeld, type Store, type SweepDocument } from '@roster/store';
import type { EraseLetters } from './erase-letters.ts';
import { lockKeysIn } from './write.ts';

/** The service is going down; the sweep goes on in another process. */
export class Stopped extends Error {}

interface Erasing {
  store: Store;
  eraseLetters: EraseLetters;
  stopping(): boolean;
}

const idsAtOnce = 500;

/** Erases statements about the contacts of deleted people, and the locks that keep two people from getting one contact at once. */
const createEraseContacts = ({ profiles, identities, contactConsents, transact }: Store) => {
  return async ({ ws, keys, at, accepted = at, former = [] }: SweepDocument): Promise<void> => {
    // A transaction in flight may have written about a contact that has no owner now. Later statements stay.
    for (const key of lockKeysIn(keys)) {
      if (await isHeld(profiles, key)) continue;
      await identities.deleteMany({ _id: key, at: { $lte: at } });
      await transact((session) => contactConsents.eraseUpTo(session, ws, key, accepted));
    }
    // No document links a former contact to the person any more. Its statements stay for the next owner.
    for (const key of former)
      if (!(await isHeld(profiles, key))) await transact((session) => contactConsents.hide(session, ws, key));
  };
};

/** Failed rows of data integrations: they are kept for reading and for another try. */
const eraseSyncRows = async (
  { syncs, tombstones: { digestsOf, lostBy } }: Store,
  { ws, profiles, keys, former = [] }: SweepDocument,
  mayGoOn: () => void,
): Promise<void> => {
  const ids = profiles.map((id) => identityKey(ws, { by: 'service_id', id }));
  for (const named of chunks([...ids, ...keys, ...former], idsAtOnce))
    for (const failed of [syncs.rows, syncs.retries])
      await failed.deleteMany({ person: { $in: named.flatMap(digestsOf) } });
  for await (const lost of lostBy(profiles)) {
    mayGoOn();
    // Later rows mean whoever gets the name.
    const removals = lost.map(({ digest: person, at }) => ({
      deleteMany: { filter: { person, at: { $lte: at } } },
    }));
    for (const failed of [syncs.rows, syncs.retries]) await failed.bulkWrite(removals, { ordered: false });
  }
};

const json = { parse: parseExact, stringify: stringifyExact };

export const createErasePeople = ({ store, eraseLetters, stopping }: Erasing) => {
  const mayGoOn = (): void => {
    if (stopping()) throw new Stopped();
  };
  const eraseContacts = createEraseContacts(store);
  const removeRowsOf = async (ids: readonly string[]): Promise<void> => {
    await store.events.remove(ids, mayGoOn);
    await store.purchases.remove(ids, mayGoOn);
    // Totals go after the rows: a retention step that had these rows has ended by then.
    await store.totals.remove(ids);
    await store.removeSends(ids, mayGoOn);
    await store.identities.deleteMany({ profile: { $in: [...ids] } });
  };

  return async (sweeps: readonly SweepDocument[]): Promise<void> => {
    const people = sweeps.flatMap(({ profiles }) => profiles);
    for (const ids of chunks(people, idsAtOnce)) await removeRowsOf(ids);
    for (const sweep of sweeps) await eraseContacts(sweep);
    for (const sweep of sweeps) await eraseSyncRows(store, sweep, mayGoOn);
    for (const { ws, profiles, keys, at, accepted = at } of sweeps)
      await store.eraseRecipients({ ws, profiles, keys, upTo: accepted }, json, mayGoOn);
    await eraseLetters(sweeps);
  };
};

export type ErasePeople = ReturnType<typeof createErasePeople>;

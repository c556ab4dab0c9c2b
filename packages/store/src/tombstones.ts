/**
 * Identifiers of people who were deleted or merged away: up to which stamp, and into which profile. Kept under a keyed digest,
 * which does not reveal the person.
 */
import type { Fate } from '@roster/profile';
import type { Collection, Session } from './db.ts';
import type { TombstoneDocument } from './documents.ts';
import {
  digestOf,
  documentOf,
  fatesIn,
  type NewTombstone,
  replacement,
  secretFrom,
} from './tombstone-documents.ts';

export const createTombstones = (collection: Collection<TombstoneDocument>, secret: string | undefined) => {
  return {
    /** The fates of every key, oldest first; an empty list for none. */
    async fatesOf(keys: Iterable<string>, session?: Session): Promise<Map<string, Fate[]>> {
      const fates = new Map<string, Fate[]>();
      const keyOf = new Map<string, string>();
      for (const key of keys) {
        fates.set(key, []);
        keyOf.set(digestOf(secretFrom(secret), key), key);
      }
      if (fates.size === 0) return fates;
      const options = { ...(session && { session }), batchSize: fates.size + 1 };
      const found = await collection.find({ _id: { $in: [...keyOf.keys()] } }, options).toArray();
      for (const document of found) fates.set(keyOf.get(document._id) ?? '', fatesIn(document));
      return fates;
    },

    /** Few identifiers have one already, so most are inserted, all at once. */
    async write(tombstones: readonly NewTombstone[], session?: Session): Promise<void> {
      if (tombstones.length === 0) return;
      const options = session ? { session } : {};
      const byId = new Map(tombstones.map((one) => [digestOf(secretFrom(secret), one.key), one]));
      const found = await collection
        .find({ _id: { $in: [...byId.keys()] } }, { ...options, batchSize: byId.size + 1 })
        .toArray();
      const old = new Map(found.map((document) => [document._id, document]));
      const all = [...byId].map(([_id, one]) => documentOf(_id, one, old.get(_id)));
      const fresh = all.filter(({ _id }) => !old.has(_id));
      const known = all.filter(({ _id }) => old.has(_id));
      if (fresh.length > 0) await collection.insertMany(fresh, options);
      if (known.length > 0) await collection.bulkWrite(known.map(replacement), options);
    },
  };
};

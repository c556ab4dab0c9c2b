/**
 * Identifiers whose person was deleted or merged away: up to which stamp, and into which profile. They are stored under a keyed digest, which
 * does not reveal the person.
 */
import { createHmac } from 'node:crypto';
import { type Fate, fateIn, type NewFate, withEnding } from '@roster/profile';
import type { Collection, Session } from '../connection/db.ts';
import type { TombstoneDocument } from '../models/people.ts';

/** A tombstone before it is written. */
export interface NewTombstone extends NewFate {
  ws: string;
  /** The identity key. */
  key: string;
  /** Not before every job and dead letter that it may concern is gone. */
  expires: Date;
}

const digestBytes = 18;
const lostAtOnce = 500;

/** 144 bits: no two identifiers share one, and without the secret identifiers cannot be tried out. */
export const digestOf = (secret: string, key: string): string =>
  createHmac('sha256', secret).update(key).digest().subarray(0, digestBytes).toString('base64url');

export const secretFrom = (secret: string | undefined): string => {
  if (secret) return secret;
  throw new Error('tombstones need the secret: openStore({ secret: config.ROSTER_SECRET })');
};

const fatesIn = ({ earlier = [], ...last }: TombstoneDocument): Fate[] => [
  ...earlier.map(fateIn),
  fateIn(last),
];

const documentOf = (
  _id: string,
  { ws, key, expires, ...ending }: NewTombstone,
  before: TombstoneDocument | undefined,
): TombstoneDocument => {
  const fates = withEnding(before ? fatesIn(before) : [], ending);
  const [last, earlier] = [fates.at(-1) ?? fateIn(ending), fates.slice(0, -1)];
  return { _id, ws, ...last, ...(earlier.length > 0 && { earlier }), expires };
};

const replacement = (document: TombstoneDocument) => ({
  replaceOne: { filter: { _id: document._id }, replacement: document },
});

export const createTombstones = (collection: Collection<TombstoneDocument>, secret: string | undefined) => ({
  digestOf: (key: string): string => digestOf(secretFrom(secret), key),

  /** A page of the digests of identifiers whose last owner was one of these people, each with the stamp of the loss. */
  async *lostBy(profiles: readonly string[]) {
    const cursor = collection.find(
      { to: { $in: [...profiles] } },
      { projection: { at: 1 }, batchSize: lostAtOnce },
    );
    try {
      while (await cursor.hasNext()) yield cursor.readBufferedDocuments();
    } finally {
      await cursor.close();
    }
  },

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
});

export type Tombstones = ReturnType<typeof createTombstones>;

/**
 * Identifiers whose person was deleted or merged away: up to which stamp, and into which profile. They are stored under a keyed digest, which
 * does not reveal the person.
 */
import { createHmac } from 'node:crypto';
import { type Fate, fateIn, type NewFate, withEnding } from '@roster/profile';
import { knownSecrets, makingSecret, type Secrets } from '@roster/secrets';
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

export const secretsFrom = (secrets: Secrets | undefined): Secrets => {
  if (secrets) return secrets;
  throw new Error('tombstones need the secret: openStore({ secret: secretsOf(config) })');
};

/** Under which a key may be stored; the one for what is new comes first. */
export const digestsOf = (secrets: Secrets, key: string): string[] =>
  knownSecrets(secrets).map((secret) => digestOf(secret, key));

const fatesIn = ({ earlier = [], ...last }: TombstoneDocument): Fate[] => [
  ...earlier.map(fateIn),
  fateIn(last),
];

/** Oldest first. A key has several documents only where processes with different secrets wrote them at the same moment. */
const inTime = (fates: readonly Fate[]): Fate[] => fates.toSorted((one, other) => one.at - other.at);

const documentOf = (
  [_id = '', ...also]: readonly string[],
  { ws, key, expires, ...ending }: NewTombstone,
  before: readonly TombstoneDocument[],
): TombstoneDocument => {
  const fates = withEnding(inTime(before.flatMap(fatesIn)), ending);
  const [last, earlier] = [fates.at(-1) ?? fateIn(ending), fates.slice(0, -1)];
  return {
    _id,
    ...(also.length > 0 && { also }),
    ...{ ws, ...last, ...(earlier.length > 0 && { earlier }), expires },
  };
};

/** Each digest of an identifier with the stamp of its loss. */
const lossesIn = ({ _id, also = [], at }: Pick<TombstoneDocument, '_id' | 'also' | 'at'>) =>
  [_id, ...also].map((digest) => ({ digest, at }));

const replacement = (document: TombstoneDocument) => ({
  replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true },
});

const removal = (ids: readonly string[]) => ({ deleteMany: { filter: { _id: { $in: [...ids] } } } });

export const createTombstones = (
  collection: Collection<TombstoneDocument>,
  secrets: Secrets | undefined,
) => ({
  digestOf: (key: string): string => digestOf(makingSecret(secretsFrom(secrets)), key),

  digestsOf: (key: string): string[] => digestsOf(secretsFrom(secrets), key),

  /** A page of the digests of identifiers whose last owner was one of these people, each with the stamp of the loss. */
  async *lostBy(profiles: readonly string[]) {
    const cursor = collection.find(
      { to: { $in: [...profiles] } },
      { projection: { also: 1, at: 1 }, batchSize: lostAtOnce },
    );
    try {
      while (await cursor.hasNext()) yield cursor.readBufferedDocuments().flatMap(lossesIn);
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
      for (const digest of digestsOf(secretsFrom(secrets), key)) keyOf.set(digest, key);
    }
    if (fates.size === 0) return fates;
    const options = { ...(session && { session }), batchSize: keyOf.size + 1 };
    const found = await collection.find({ _id: { $in: [...keyOf.keys()] } }, options).toArray();
    for (const document of found) {
      const key = keyOf.get(document._id) ?? '';
      fates.set(key, inTime([...(fates.get(key) ?? []), ...fatesIn(document)]));
    }
    return fates;
  },

  /** Few identifiers have one already, so most are inserted, all at once. */
  async write(tombstones: readonly NewTombstone[], session?: Session): Promise<void> {
    if (tombstones.length === 0) return;
    const options = session ? { session } : {};
    const named = [...new Map(tombstones.map((one) => [one.key, one])).values()].map((one) => ({
      one,
      ids: digestsOf(secretsFrom(secrets), one.key),
    }));
    const all = named.flatMap(({ ids }) => ids);
    const found = await collection
      .find({ _id: { $in: all } }, { ...options, batchSize: all.length + 1 })
      .toArray();
    const old = new Map(found.map((document) => [document._id, document]));
    const documents = named.map(({ one, ids }) => ({
      ...{ ids, isNew: !ids.some((id) => old.has(id)) },
      document: documentOf(
        ids,
        one,
        ids.flatMap((id) => old.get(id) ?? []),
      ),
    }));
    const fresh = documents.filter(({ isNew }) => isNew).map(({ document }) => document);
    const known = documents.filter(({ isNew }) => !isNew);
    if (fresh.length > 0) await collection.insertMany(fresh, options);
    const writes = known.flatMap(({ ids: [, ...others], document }) => [
      replacement(document),
      ...(others.length > 0 ? [removal(others)] : []),
    ]);
    if (writes.length > 0) await collection.bulkWrite(writes, options);
  },
});

export type Tombstones = ReturnType<typeof createTombstones>;

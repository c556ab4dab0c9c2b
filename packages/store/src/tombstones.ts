/**
 * What is left of an identifier whose person was deleted or merged away: up to which stamp, and into whom. Kept under a keyed digest,
 * so that nobody can read from it who that was.
 */
import { createHmac } from 'node:crypto';
import type { Collection, Session } from './db.ts';
import type { TombstoneDocument } from './documents.ts';

/** Requests stamped up to `at` don't find the person any more: they follow to the service id `to`, or, without one, are dropped. */
export interface Fate {
  at: number;
  to?: string;
  /** Only what `identify` takes over without a merge goes there. */
  part?: true;
}

export interface Tombstone extends Fate {
  /** What happened to earlier people with this identifier, oldest first. */
  earlier?: Fate[];
}

/** A tombstone on its way to be written. */
export interface Burial extends Fate {
  ws: string;
  /** The identity key. */
  key: string;
  /** A service id: whoever had it, nobody else ever will. */
  forGood?: true;
  /** Not before the last job or dead letter that it could concern is gone. */
  expires: Date;
}

/** The fate that a request of this stamp shares; `undefined`: it starts afresh. */
export const fateAt = ({ earlier = [], ...last }: Tombstone, stamp: number): Fate | undefined =>
  [...earlier, last].find(({ at }) => stamp <= at);

const mostEarlier = 16;
const digestBytes = 18;

/** 144 bits: no two identifiers share one, and without the secret nobody can try identifiers out. */
export const digestOf = (secret: string, key: string): string =>
  createHmac('sha256', secret).update(key).digest().subarray(0, digestBytes).toString('base64url');

export const secretFrom = (secret: string | undefined): string => {
  if (secret) return secret;
  throw new Error('tombstones need the secret: openStore({ secret: config.ROSTER_SECRET })');
};

/** What was there becomes an earlier one, unless it is the same again or the identifier was a service id: those are given once. */
const documentOf = (
  _id: string,
  { ws, expires, forGood, ...fate }: Burial,
  before: TombstoneDocument | undefined,
): TombstoneDocument => {
  const old =
    before && !forGood ? [...(before.earlier ?? []), ...(before.at < fate.at ? [fateIn(before)] : [])] : [];
  const earlier = old.slice(-mostEarlier);
  return { _id, ws, ...fateIn(fate), ...(earlier.length > 0 && { earlier }), expires };
};

const fateIn = ({ at, to, part }: Fate): Fate => ({
  at,
  ...(to !== undefined && { to }),
  ...(part && { part }),
});

const tombstoneIn = ({ earlier = [], ...last }: TombstoneDocument): Tombstone => ({
  ...fateIn(last),
  ...(earlier.length > 0 && { earlier }),
});

const replacement = (document: TombstoneDocument) => ({
  replaceOne: { filter: { _id: document._id }, replacement: document },
});

export const createTombstones = (collection: Collection<TombstoneDocument>, secret: string | undefined) => {
  /** By identity key; those without a tombstone are not in the answer. */
  const find = async (keys: Iterable<string>, session?: Session): Promise<Map<string, Tombstone>> => {
    const keyOf = new Map<string, string>();
    for (const key of keys) keyOf.set(digestOf(secretFrom(secret), key), key);
    if (keyOf.size === 0) return new Map();
    const found = await collection
      .find({ _id: { $in: [...keyOf.keys()] } }, { ...(session && { session }), batchSize: keyOf.size + 1 })
      .toArray();
    return new Map(found.map((document) => [keyOf.get(document._id) ?? '', tombstoneIn(document)]));
  };

  return {
    find,

    /** Of every key, oldest first; where nothing happened, an empty list says so. */
    async fatesOf(keys: Iterable<string>, session: Session): Promise<Map<string, Fate[]>> {
      const fates = new Map<string, Fate[]>([...keys].map((key) => [key, []]));
      for (const [key, { earlier = [], ...last }] of await find(fates.keys(), session))
        fates.set(key, [...earlier, last]);
      return fates;
    },

    /** Few identifiers have one already, so most are inserted, all at once. */
    async write(burials: readonly Burial[], session?: Session): Promise<void> {
      if (burials.length === 0) return;
      const options = session ? { session } : {};
      const byId = new Map(burials.map((one) => [digestOf(secretFrom(secret), one.key), one]));
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

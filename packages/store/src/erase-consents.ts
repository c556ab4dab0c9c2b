/** What was said of somebody who is deleted goes with them; where proof is kept, nothing stays that says who they were. */
import { identityKey, isAddress, type Stamp, stayKind } from '@roster/profile';
import type { Collection } from './db.ts';
import type { AddressDocument, ConsentDocument, ProfileDocument } from './documents.ts';
import { digestOf, secretFrom } from './tombstones.ts';

interface Collections {
  consents: Collection<ConsentDocument>;
  addresses: Collection<AddressDocument>;
  profiles: Collection<ProfileDocument>;
}

/** Somebody who is gone: their service ids, and the identity keys that meant them and nobody else. */
export interface Erased {
  ws: string;
  profiles: readonly string[];
  keys: readonly string[];
  /** Emails and phones that they had before. */
  former?: readonly Former[];
  /** What was said later is somebody else's. */
  at: number;
}

export interface Former {
  key: string;
  until: number;
}

export const createErasure = ({ consents, addresses, profiles }: Collections, secret: string | undefined) => {
  /** Whether nobody but those who are erased has an address, or ever had it. */
  const isNobodysElse = async (ws: string, ids: readonly string[], key: string): Promise<boolean> => {
    const value = key.slice(ws.length + 3);
    const having = isAddress(key, 'email') ? { ws, email_key: value } : { ws, phone_key: value };
    const had = { address: key, k: stayKind, profile: { $nin: [...ids] } };
    const just = { projection: { _id: 1 } } as const;
    return !(await profiles.findOne(having, just)) && !(await consents.findOne(had, just));
  };

  const ownFormer = async ({ ws, profiles: ids, former = [] }: Erased): Promise<Former[]> => {
    const own: Former[] = [];
    for (const one of former) if (await isNobodysElse(ws, ids, one.key)) own.push(one);
    return own;
  };

  /** What was said when nobody had the address any more waits for the next one who has it. */
  const untilLeft = ({ until }: Former) => ({
    $or: [{ orphan: { $exists: false } }, { at: { $lt: until } }],
  });

  const removeFormer = async (ws: string, at: Stamp, former: readonly Former[]): Promise<void> => {
    for (const one of former) {
      const theirs = { at: { $lte: at }, ...untilLeft(one) };
      await consents.deleteMany({ ws, address: one.key, ...theirs });
      await addresses.updateOne({ _id: one.key }, { $pull: { consents: theirs } });
      await addresses.deleteOne({ _id: one.key, consents: { $size: 0 } });
    }
  };

  const remove = async (
    { ws, profiles: ids, at }: Erased,
    own: readonly string[],
    former: readonly Former[],
  ): Promise<void> => {
    const theirs = { profile: { $in: [...ids] } };
    const others = { profile: { $exists: true, $nin: [...ids] } };
    const all = [...own, ...former.map(({ key }) => key)];
    // What was said of an email that others have too is theirs as well, and says of whom it was no more.
    await consents.updateMany(
      { ws, ...theirs, at: { $lte: at }, address: { $exists: true, $nin: all }, k: { $ne: stayKind } },
      { $unset: { profile: '', own: '' } },
    );
    await consents.updateMany(
      { ws, ...others, at: { $lte: at }, address: { $in: all } },
      { $unset: { address: '', said: '' } },
    );
    await consents.deleteMany({ ws, ...theirs, at: { $lte: at } });
    await consents.deleteMany({ ws, address: { $in: [...own] }, at: { $lte: at } });
    await removeFormer(ws, at, former);
  };

  /** Under digests only: nobody can read from them who it was, but whoever knows can find them. */
  const keepProof = async (
    { ws, profiles: ids, keys, at }: Erased,
    own: readonly string[],
    former: readonly Former[],
  ): Promise<void> => {
    const names = [
      ...keys,
      ...former.map(({ key }) => key),
      ...ids.map((id) => identityKey(ws, { by: 'service_id', id })),
    ];
    const proof = [...new Set(names.map((key) => digestOf(secretFrom(secret), key)))];
    const rows = await consents
      .find({
        ws,
        at: { $lte: at },
        k: { $ne: stayKind },
        $or: [
          { profile: { $in: [...ids] } },
          { address: { $in: [...own] } },
          ...former.map((one) => ({ address: one.key, ...untilLeft(one) })),
        ],
      })
      .toArray();
    const copies = rows.map(({ profile: _, address: __, said, ...row }) => ({
      ...row,
      _id: `proof:${row._id}`,
      ...(said && !row.own && { own: { v: said.v, at: said.at } }),
      proof,
    }));
    if (copies.length === 0) return;
    await consents.bulkWrite(
      copies.map((row) => ({ replaceOne: { filter: { _id: row._id }, replacement: row, upsert: true } })),
    );
  };

  return {
    /** Of people who were erased nothing is left, or, where proof is kept, nothing that says who they were. Can be repeated. */
    async forget(erased: Erased, keepsProof: boolean): Promise<void> {
      const own = erased.keys.filter((key) => isAddress(key, 'email') || isAddress(key, 'phone'));
      const former = await ownFormer(erased);
      if (keepsProof) await keepProof(erased, own, former);
      await remove(erased, own, former);
    },

    /** Emails and phones that they had, of whom it is still known. */
    async formerOf({ profiles: ids }: Pick<Erased, 'profiles'>): Promise<Former[]> {
      const rows = await consents.find({ profile: { $in: [...ids] }, k: stayKind }).toArray();
      const until = new Map<string, number>();
      for (const { address = '', at } of rows) until.set(address, Math.max(until.get(address) ?? 0, at));
      return [...until].map(([key, last]) => ({ key, until: last }));
    },
  };
};

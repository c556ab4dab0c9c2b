/** The history of consent: written beside what it tells of, read when somebody asks, and forgotten with the person. */
import {
  addressOf,
  type ConsentChange,
  type ConsentRow,
  consentHistory,
  type Identifier,
  identityKey,
  isAddress,
  type Leaver,
  type Profile,
  type Said,
  type Stamp,
  type Stay,
  sinceOf,
  stayKind,
  staysIn,
} from '@roster/profile';
import type { Collection, Session } from './db.ts';
import type { AddressDocument, ConsentDocument, IdentityDocument, ProfileDocument } from './documents.ts';
import { digestOf, secretFrom } from './tombstones.ts';

interface Collections {
  consents: Collection<ConsentDocument>;
  addresses: Collection<AddressDocument>;
  profiles: Collection<ProfileDocument>;
  identities: Collection<IdentityDocument>;
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

/** Nobody reads more than that; the oldest are left out. */
const mostRows = 50_000;

const documentOf = ({ request, ...row }: ConsentRow, op: string, id: string): ConsentDocument => ({
  _id: `${id}:${row.n}`,
  request,
  op,
  ...row,
});

const newest = { sort: { at: -1 }, limit: mostRows } as const;

const currentStays = (profile: Profile): Stay[] =>
  (['email', 'phone'] as const).flatMap((name) => {
    const address = addressOf(profile, name);
    const since = sinceOf(profile.fields[name]);
    if (address === undefined || since === undefined) return [];
    return [{ address, since, until: Number.POSITIVE_INFINITY }];
  });

const once = (rows: readonly ConsentDocument[]): ConsentDocument[] => [
  ...new Map(rows.map((row) => [row._id, row])).values(),
];

/** Those without any are there too. */
const grouped = (
  names: readonly string[],
  all: readonly Leaver[],
  by: 'address' | 'profile',
): Map<string, Leaver[]> => {
  const groups = new Map(names.map((name): [string, Leaver[]] => [name, []]));
  for (const one of all) groups.get(one[by])?.push(one);
  return groups;
};

export const createConsents = (
  { consents, addresses, profiles, identities }: Collections,
  secret: string | undefined,
) => {
  const saidOf = async (keys: readonly string[]): Promise<Map<string, readonly Said[]>> => {
    if (keys.length === 0) return new Map();
    const found = await addresses.find({ _id: { $in: [...keys] } }).toArray();
    return new Map(found.map((document) => [document._id, document.consents]));
  };

  const rowsAbout = (addressKeys: readonly string[]): Promise<ConsentDocument[]> =>
    addressKeys.length === 0
      ? Promise.resolve([])
      : consents.find({ address: { $in: [...addressKeys] } }, newest).toArray();

  const ofPerson = async (profile: Profile): Promise<ConsentChange[]> => {
    const ids = [profile._id, ...(profile.absorbed ?? [])];
    const own = await consents.find({ profile: { $in: ids } }, newest).toArray();
    const stays = [...currentStays(profile), ...staysIn(own)];
    const keys = [...new Set(stays.map(({ address }) => address))];
    const rows = once([...own, ...(await rowsAbout(keys))]);
    return consentHistory({
      rows,
      profiles: new Set(ids),
      stays,
      own: profile.consents,
      said: await saidOf(keys),
    });
  };

  const ofAddress = async (key: string): Promise<ConsentChange[]> =>
    consentHistory({
      rows: await rowsAbout([key]),
      profiles: new Set(),
      stays: [{ address: key, since: 0, until: Number.POSITIVE_INFINITY }],
      own: [],
      said: await saidOf([key]),
    });

  /** What is left of somebody who was erased, for whoever can still name them. */
  const ofErased = async (key: string): Promise<ConsentChange[]> => {
    if (secret === undefined) return [];
    const rows = await consents.find({ proof: digestOf(secret, key) }, newest).toArray();
    const nameless = rows.map((row) => ({ ...row, profile: key }));
    return consentHistory({
      rows: nameless,
      profiles: new Set([key]),
      stays: [],
      own: [],
      said: new Map(),
    });
  };

  const personBy = async (ws: string, identifier: Identifier): Promise<Profile | null> => {
    if (identifier.by === 'service_id') {
      const { id } = identifier;
      return (await profiles.findOne({ _id: id, ws })) ?? profiles.findOne({ ws, absorbed: id });
    }
    const claim = await identities.findOne({ _id: identityKey(ws, identifier) });
    return claim && profiles.findOne({ _id: claim.profile });
  };

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

  const leavers = async (filter: object, session: Session): Promise<Leaver[]> => {
    const found = await consents.find({ ...filter, k: stayKind }, { session, batchSize: 1000 }).toArray();
    return found.map(({ address = '', profile = '', since = 0, at: until }) => ({
      address,
      profile,
      since,
      until,
    }));
  };

  return {
    /** Who has left each address, at least those who did later than its stamp. */
    async leftBy(asked: ReadonlyMap<string, Stamp>, session: Session): Promise<Map<string, Leaver[]>> {
      if (asked.size === 0) return new Map();
      const keys = [...asked.keys()];
      const oldest = [...asked.values()].reduce((least, at) => Math.min(least, at));
      return grouped(
        keys,
        await leavers({ address: { $in: keys }, at: { $gt: oldest } }, session),
        'address',
      );
    },

    /** Which addresses people have left, by service id. */
    async staysOf(asked: ReadonlySet<string>, session: Session): Promise<Map<string, Leaver[]>> {
      if (asked.size === 0) return new Map();
      return grouped([...asked], await leavers({ profile: { $in: [...asked] } }, session), 'profile');
    },

    /** In the transaction of what the rows tell of. */
    async write(
      session: Session,
      rows: readonly ConsentRow[],
      opOf: (request: string) => string,
      rowId: (request: string) => string = (request) => request,
    ): Promise<void> {
      if (rows.length === 0) return;
      const documents = rows.map((row) => documentOf(row, opOf(row.request), rowId(row.request)));
      await consents.insertMany(documents, { session });
    },

    ofPerson,

    /** Newest first; of an email or phone, what was said about it. `undefined`: nobody, and nothing is kept of anybody. */
    async find(ws: string, identifier: Identifier): Promise<ConsentChange[] | undefined> {
      const key = identityKey(ws, identifier);
      const isAbout = identifier.by === 'email' || identifier.by === 'phone';
      const profile = isAbout ? null : await personBy(ws, identifier);
      const found = isAbout ? await ofAddress(key) : profile && (await ofPerson(profile));
      if (found && (found.length > 0 || !isAbout)) return found;
      const kept = await ofErased(key);
      return kept.length > 0 ? kept : undefined;
    },

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

export type ConsentHistory = ReturnType<typeof createConsents>;

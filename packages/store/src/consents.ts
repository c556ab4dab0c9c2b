/** The history of consent: written beside what it tells of, read when somebody asks, and forgotten with the person. */
import {
  addressOf,
  type ConsentChange,
  type ConsentRow,
  consentHistory,
  type Identifier,
  identityKey,
  type Profile,
  type Said,
  type Stay,
  sinceOf,
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
  /** What was said later is somebody else's. */
  at: number;
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

const addressKinds: ReadonlySet<string> = new Set(['m', 'p']);
const isAddress = (key: string): boolean => addressKinds.has(key.split(':', 2)[1] ?? '');

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

  const remove = async ({ ws, profiles: ids, at }: Erased, keys: readonly string[]): Promise<void> => {
    const [theirs, about] = [{ profile: { $in: [...ids] } }, { address: { $in: [...keys] } }];
    // What was said of an email that others have too is theirs as well, and says of whom it was no more.
    await consents.updateMany(
      { ws, ...theirs, at: { $lte: at }, address: { $exists: true, $nin: [...keys] }, k: { $ne: 'had' } },
      { $unset: { profile: '', own: '' } },
    );
    await consents.updateMany(
      { ws, ...about, at: { $lte: at }, profile: { $exists: true, $nin: [...ids] } },
      { $unset: { address: '', said: '' } },
    );
    await consents.deleteMany({ ws, ...theirs, at: { $lte: at } });
    await consents.deleteMany({ ws, ...about, at: { $lte: at } });
  };

  /** Under digests only: nobody can read from them who it was, but whoever knows can find them. */
  const keepProof = async (
    { ws, profiles: ids, keys, at }: Erased,
    own: readonly string[],
  ): Promise<void> => {
    const names = [...keys, ...ids.map((id) => identityKey(ws, { by: 'service_id', id }))];
    const proof = [...new Set(names.map((key) => digestOf(secretFrom(secret), key)))];
    const rows = await consents
      .find({
        ws,
        at: { $lte: at },
        k: { $ne: 'had' },
        $or: [{ profile: { $in: [...ids] } }, { address: { $in: [...own] } }],
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
      const own = erased.keys.filter(isAddress);
      if (keepsProof) await keepProof(erased, own);
      await remove(erased, own);
    },
  };
};

export type ConsentHistory = ReturnType<typeof createConsents>;

/** The history of consent: written beside what it tells of, read when somebody asks, and forgotten with the person. */
import {
  addressOf,
  type ConsentChange,
  type ConsentRow,
  consentHistory,
  type Identifier,
  identityKey,
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
import { createErasure } from './erase-consents.ts';
import { digestOf } from './tombstones.ts';

interface Collections {
  consents: Collection<ConsentDocument>;
  addresses: Collection<AddressDocument>;
  profiles: Collection<ProfileDocument>;
  identities: Collection<IdentityDocument>;
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

    ...createErasure({ consents, addresses, profiles }, secret),
  };
};

export type ConsentHistory = ReturnType<typeof createConsents>;

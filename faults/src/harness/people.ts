// Who is who, read from the bare documents of MongoDB, by none of the code that wrote them.
import type { Db } from './mongo.ts';
import { type Kind, rowsOf } from './rows.ts';

const ws = 'demo';

/** How an identifier stands in a claim. */
export const keyOf = {
  ext: (id: string): string => `${ws}:e:${id}`,
  alias: (label: string, name: string): string => `${ws}:a:${label.length}:${label}:${name}`,
  service: (id: string): string => `${ws}:s:${id}`,
};

/** An event or a purchase: `token` is its name or product. */
interface Row {
  token: string;
  profile: string;
  at: number;
}

export interface Person {
  id: string;
  absorbed: string[];
  /** Keys of everything by which they alone can be named. */
  names: string[];
  hasContact: boolean;
  events: Row[];
  purchases: Row[];
}

interface Claim {
  profile: string;
  at: number;
  /** When a merge last moved it to the kept person. */
  moved?: number;
}

export interface People {
  all: Person[];
  byId: Map<string, Person>;
  /** The person that this name leads to. */
  find(key: string): Person | undefined;
  /** External ids and aliases. */
  claims: Map<string, Claim>;
  /** Events and purchases without a person. */
  homeless: Row[];
}

interface StoredProfile {
  _id: string;
  external_id?: string;
  former_ids?: string[];
  aliases?: { label: string; name: string }[];
  email_key?: string;
  phone_key?: string;
  absorbed?: string[];
}

const namesOf = ({ external_id, former_ids = [], aliases = [] }: StoredProfile): string[] => [
  ...(external_id === undefined ? [] : [external_id]).concat(former_ids).map(keyOf.ext),
  ...aliases.map(({ label, name }) => keyOf.alias(label, name)),
];

const personOf = (stored: StoredProfile): Person => ({
  id: stored._id,
  absorbed: stored.absorbed ?? [],
  names: namesOf(stored),
  hasContact: (stored.email_key ?? stored.phone_key) !== undefined,
  events: [],
  purchases: [],
});

const rowsIn = async (mongo: Db, kind: Kind): Promise<Row[]> => {
  const name = kind === 'events' ? 'name' : 'product_id';
  const found = await rowsOf(mongo, kind);
  return found.map(({ profile, at, [name]: token }) => ({ token: String(token), profile, at }));
};

const claimsIn = async (mongo: Db): Promise<Map<string, Claim>> => {
  const found = await mongo
    .collection<{ _id: string } & Claim>('identities')
    .find({ _id: /^[^:]+:[ea]:/ }, { batchSize: 10_000 })
    .toArray();
  return new Map(found.map(({ _id, ...claim }) => [_id, claim]));
};

/** Gives each person their events and purchases; the others have no person. */
const settle = (
  people: readonly Person[],
  events: readonly Row[],
  purchases: readonly Row[],
): { homeless: Row[] } => {
  const homes = new Map(
    people.flatMap((person) => [person.id, ...person.absorbed].map((id) => [id, person])),
  );
  const homeless: Row[] = [];
  for (const row of events) (homes.get(row.profile)?.events ?? homeless).push(row);
  for (const row of purchases) (homes.get(row.profile)?.purchases ?? homeless).push(row);
  return { homeless };
};

export const readPeople = async (mongo: Db): Promise<People> => {
  const stored = await mongo
    .collection<StoredProfile>('profiles')
    .find({ ws }, { batchSize: 10_000 })
    .toArray();
  const all = stored.map(personOf);
  const claims = await claimsIn(mongo);
  const { homeless } = settle(all, await rowsIn(mongo, 'events'), await rowsIn(mongo, 'purchases'));
  const byId = new Map(all.map((person) => [person.id, person]));
  return {
    all,
    byId,
    claims,
    homeless,
    find: (key) => byId.get(claims.get(key)?.profile ?? ''),
  };
};

/** Of all of them together, sorted. */
export const tokensOf = (
  people: readonly (Person | undefined)[],
  of: 'events' | 'purchases' = 'events',
): string[] => people.flatMap((person) => person?.[of].map(({ token }) => token) ?? []).sort();

// Who is who, and where lost names lead, read from the bare documents of MongoDB, by none of the code that wrote them.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from './mongo.ts';
import { rowsOf } from './rows.ts';
import type { System } from './system.ts';

const ws = 'demo';

/** How an identifier stands in a claim. */
export const keyOf = {
  ext: (id: string): string => `${ws}:e:${id}`,
  alias: (label: string, name: string): string => `${ws}:a:${label.length}:${label}:${name}`,
  service: (id: string): string => `${ws}:s:${id}`,
};

export interface Person {
  id: string;
  absorbed: string[];
  /** Keys of everything by which they alone can be named. */
  names: string[];
  hasContact: boolean;
  /** Names and products. */
  events: string[];
  purchases: string[];
}

export interface People {
  all: Person[];
  byId: Map<string, Person>;
  /** The ids that external ids and aliases lead to. */
  claims: Map<string, string>;
  /** Events and purchases without a person. */
  homeless: string[];
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

const claimsIn = async (mongo: Db): Promise<Map<string, string>> => {
  const found = await mongo
    .collection<{ _id: string; profile: string }>('identities')
    .find({ _id: /^[^:]+:[ea]:/ }, { batchSize: 10_000 })
    .toArray();
  return new Map(found.map(({ _id, profile }) => [_id, profile]));
};

/** Gives each person their events and purchases, and returns those of nobody. */
const settle = async (mongo: Db, people: readonly Person[]): Promise<string[]> => {
  const homes = new Map(
    people.flatMap((person) => [person.id, ...person.absorbed].map((id) => [id, person])),
  );
  const homeless: string[] = [];
  for (const { profile, name } of await rowsOf(mongo, 'events'))
    (homes.get(profile)?.events ?? homeless).push(String(name));
  for (const { profile, product_id } of await rowsOf(mongo, 'purchases'))
    (homes.get(profile)?.purchases ?? homeless).push(String(product_id));
  return homeless;
};

export const readPeople = async (mongo: Db): Promise<People> => {
  const stored = mongo.collection<StoredProfile>('profiles').find({ ws }, { batchSize: 10_000 });
  const all = (await stored.toArray()).map(personOf);
  return {
    all,
    byId: new Map(all.map((person) => [person.id, person])),
    claims: await claimsIn(mongo),
    homeless: await settle(mongo, all),
  };
};

/** For requests up to a stamp: another person, or none. */
interface Fate {
  to?: string;
}

interface StoredTombstone extends Fate {
  _id: string;
  earlier?: Fate[];
}

/** Where a lost name leads: tombstones, read with nothing but the secret under which they are kept. */
export interface Forwarding {
  leadsAway(key: string): boolean;
  /** Where each tombstone ends. `nowhere` and `in circles` are faults. */
  endsAmong(people: People): ('alive' | 'deleted' | 'nowhere' | 'in circles')[];
}

const mostSteps = 1_000;

export const readForwarding = async ({ dir, mongo }: System): Promise<Forwarding> => {
  const secret = readFileSync(join(dir, 'secret'), 'utf8').trim();
  const found = await mongo
    .collection<StoredTombstone>('tombstones')
    .find({}, { batchSize: 10_000 })
    .toArray();
  const fates = new Map(found.map(({ _id, earlier = [], ...last }) => [_id, [...earlier, last]]));
  const digest = (key: string): string =>
    createHmac('sha256', secret).update(key).digest().subarray(0, 18).toString('base64url');
  const fatesOf = (key: string): Fate[] => fates.get(digest(key)) ?? [];
  return {
    leadsAway: (key) => fatesOf(key).length > 0,
    endsAmong: ({ byId }) =>
      [...fates.values()].flat().map((fate) => {
        let at: Fate | undefined = fate;
        for (let step = 0; step < mostSteps; step++) {
          if (at === undefined) return 'nowhere';
          if (at.to === undefined) return 'deleted';
          if (byId.has(at.to)) return 'alive';
          at = fatesOf(keyOf.service(at.to)).at(-1);
        }
        return 'in circles';
      }),
  };
};

// Where a lost name leads: tombstones, read with nothing but the secret under which they are kept.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from './mongo.ts';
import { keyOf, type People } from './people.ts';
import type { System } from './system.ts';

/** For requests stamped up to `at`: another person, or none. */
export interface Fate {
  at: number;
  to?: string;
}

interface Stored extends Fate {
  _id: string;
  earlier?: Fate[];
}

export interface Forwarding {
  /** Oldest first. */
  fatesOf(key: string): Fate[];
  /** Where this fate ends: at a living person, at people deleted up to a stamp, or (a fault) nowhere. */
  endOf(fate: Fate, people: People): 'alive' | { deletedAt: number } | 'nowhere' | 'in circles';
  all: Fate[];
}

const mostSteps = 1_000;

const secretOf = ({ dir }: System): string => readFileSync(join(dir, 'secret'), 'utf8').trim();

const tombstonesIn = async (mongo: Db): Promise<Map<string, Fate[]>> => {
  const found = await mongo.collection<Stored>('tombstones').find({}, { batchSize: 10_000 }).toArray();
  return new Map(found.map(({ _id, earlier = [], ...last }) => [_id, [...earlier, last]]));
};

export const readForwarding = async (system: System): Promise<Forwarding> => {
  const secret = secretOf(system);
  const fates = await tombstonesIn(system.mongo);
  const digest = (key: string): string =>
    createHmac('sha256', secret).update(key).digest().subarray(0, 18).toString('base64url');
  const fatesOf = (key: string): Fate[] => fates.get(digest(key)) ?? [];
  return {
    fatesOf,
    all: [...fates.values()].flat(),
    endOf(fate, people) {
      let at: Fate | undefined = fate;
      for (let step = 0; step < mostSteps; step++) {
        if (at === undefined) return 'nowhere';
        if (at.to === undefined) return { deletedAt: at.at };
        if (people.byId.has(at.to)) return 'alive';
        at = fatesOf(keyOf.service(at.to)).at(-1);
      }
      return 'in circles';
    },
  };
};

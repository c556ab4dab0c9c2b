// Where a lost name leads: tombstones, read with nothing but the secret under which they are kept.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyOf, type People } from './people.ts';
import type { System } from './system.ts';

/** For requests up to a stamp: another person, or none. */
interface Fate {
  to?: string;
}

interface Stored extends Fate {
  _id: string;
  earlier?: Fate[];
}

export interface Forwarding {
  leadsAway(key: string): boolean;
  /** Where each tombstone ends. `nowhere` and `in circles` are faults. */
  endsAmong(people: People): ('alive' | 'deleted' | 'nowhere' | 'in circles')[];
}

const mostSteps = 1_000;

export const readForwarding = async ({ dir, mongo }: System): Promise<Forwarding> => {
  const secret = readFileSync(join(dir, 'secret'), 'utf8').trim();
  const found = await mongo.collection<Stored>('tombstones').find({}, { batchSize: 10_000 }).toArray();
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

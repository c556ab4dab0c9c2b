/** Totals of occurrences that were rolled up: first, last, count and revenue of each profile and name. */
import { createHash } from 'node:crypto';
import { sumOf } from '@roster/profile';
import { type Collection, type Decimal, decimal, type Session } from '../connection/db.ts';
import type { Moment } from '../connection/snapshot.ts';
import type { TotalDocument } from '../models/occurrences.ts';

/** Occurrences of one profile and name, before they are added to the total. */
export interface RolledUp extends Omit<TotalDocument, '_id' | 'revenue'> {
  /** As a decimal number. */
  revenue?: string;
}

const digestBytes = 18;

/** 144 bits of the name: no two names of a profile share one, and an id stays short. */
const totalId = ({ profile, of, name }: Pick<TotalDocument, 'profile' | 'of' | 'name'>): string => {
  const digest = createHash('sha256').update(name).digest().subarray(0, digestBytes).toString('base64url');
  return `${profile}:${of[0]}:${digest}`;
};

const addition = ({ first, last, count, revenue, ...key }: RolledUp) => ({
  updateOne: {
    filter: { _id: totalId(key) },
    update: {
      $setOnInsert: key,
      $min: { first },
      $max: { last },
      $inc: { count, ...(revenue !== undefined && { revenue: decimal(revenue) }) },
    },
    upsert: true,
  },
});

interface Spent {
  profile: string;
  /** From the index alone: a missing member comes as null. */
  revenue?: Decimal | null;
}

export const createTotals = (collection: Collection<TotalDocument>) => ({
  /** In the transaction that removes the occurrences: so each counts once, as itself or in the total. */
  async add(session: Session, all: readonly RolledUp[]): Promise<void> {
    if (all.length > 0) await collection.bulkWrite(all.map(addition), { session });
  },

  /** The last rolled-up occurrence of each profile; profiles without any are absent. */
  lastOfEach: (profiles: readonly string[], session?: Session): Promise<{ _id: string; time: Date }[]> =>
    collection
      .aggregate<{ _id: string; time: Date }>(
        [
          { $match: { profile: { $in: [...profiles] } } },
          { $sort: { profile: -1, last: -1 } },
          { $group: { _id: '$profile', time: { $first: '$last' } } },
        ],
        { ...(session && { session }) },
      )
      .toArray(),

  /** By profile, as decimal numbers; profiles without any are absent. */
  async revenues(profiles: readonly string[], moment?: Moment): Promise<Map<string, string>> {
    const cursor = collection.find<Spent>(
      { profile: { $in: [...profiles] } },
      { ...moment, projection: { _id: 0, profile: 1, revenue: 1 } },
    );
    const all = new Map<string, string>();
    for await (const { profile, revenue } of cursor)
      if (revenue) all.set(profile, sumOf([all.get(profile) ?? '0', revenue.toString()]));
    return all;
  },

  /** The number of rolled-up occurrences of these profiles. */
  async countsOf(profiles: readonly string[], moment?: Moment): Promise<Record<TotalDocument['of'], number>> {
    const found = await collection
      .aggregate<{ _id: TotalDocument['of']; count: number }>(
        [
          { $match: { profile: { $in: [...profiles] } } },
          { $group: { _id: '$of', count: { $sum: '$count' } } },
        ],
        moment,
      )
      .toArray();
    const counts = { events: 0, purchases: 0 };
    for (const { _id, count } of found) counts[_id] = count;
    return counts;
  },

  /** All totals, for tests and inspection. */
  find: (filter: object = {}): Promise<TotalDocument[]> => collection.find(filter).sort({ _id: 1 }).toArray(),

  async remove(profiles: readonly string[]): Promise<void> {
    await collection.deleteMany({ profile: { $in: [...profiles] } });
  },
});

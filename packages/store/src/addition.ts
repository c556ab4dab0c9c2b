/** The addition of rolled-up occurrences to the total of their profile and name. */
import { createHash } from 'node:crypto';
import { decimal } from './decimal.ts';
import type { TotalDocument } from './documents.ts';

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

export const addition = ({ first, last, count, revenue, ...key }: RolledUp) => ({
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

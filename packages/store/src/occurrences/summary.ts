/** Count, first and last time of the occurrences of a name. */
import { profileIn, timeIn } from './key.ts';

/** Occurrences of one person and name. */
export interface Summary {
  profile: string;
  name: string;
  first: Date;
  last: Date;
  count: number;
}

export interface Summed {
  _id: string;
  first: Buffer;
  last: Buffer;
  count: number;
}

export const summaryIn = ({ _id, first, last, count }: Summed): Summary => ({
  profile: profileIn(first),
  name: _id,
  first: timeIn(first),
  last: timeIn(last),
  count,
});

/** @public The declarations of open-store.ts name it. */
export interface SummaryQuery {
  profiles: readonly string[];
  since: Date;
  /** Of this name or product alone. */
  name?: string;
}

/** A quantity is that many purchases. */
export const summaryOf = {
  events: { name: '$name', count: { $sum: 1 } },
  purchases: { name: '$product_id', count: { $sum: '$quantity' } },
} as const;

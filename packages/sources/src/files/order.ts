/** The order of rows that no server has sorted: by moment, then by tie. */
import { compareKeys } from '../keys.ts';
import type { Found, Place } from '../place.ts';

interface Ordered {
  readonly moment: string;
  readonly tie: string | null;
}

/** Rows without a tie come first among those of their moment. */
export const compare = (a: Ordered, b: Ordered): number => {
  if (a.moment !== b.moment) return compareKeys(a.moment, b.moment);
  if (a.tie === null || b.tie === null) return Number(b.tie === null) - Number(a.tie === null);
  return compareKeys(a.tie, b.tie);
};

export const isAfter = (found: Found, { moment, tie, isOpen }: Place): boolean => {
  if (tie === undefined) return found.moment >= moment;
  const order = compare(found, { moment, tie });
  return isOpen ? order >= 0 : order > 0;
};

/** Counts of events and purchases, joined over the people merged into one. */
import type { Summary as Stored } from '@roster/store';

/** Occurrences of one name in the window. */
export interface Summary {
  name: string;
  first: string;
  last: string;
  count: number;
}

/** In milliseconds. */
export interface Counted {
  name: string;
  first: number;
  last: number;
  count: number;
}

export const countedIn = ({ name, first, last, count }: Stored): Counted => ({
  name,
  first: first.getTime(),
  last: last.getTime(),
  count,
});

export const together = (a: Counted, b: Counted): Counted => ({
  name: a.name,
  first: Math.min(a.first, b.first),
  last: Math.max(a.last, b.last),
  count: a.count + b.count,
});

export const shown = ({ first, last, ...counted }: Counted): Summary => ({
  ...counted,
  first: new Date(first).toISOString(),
  last: new Date(last).toISOString(),
});

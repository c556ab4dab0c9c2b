/** Counts of events and purchases of a person. */
import type { Profile } from '@roster/profile';
import type { Events, Purchases, Store } from '@roster/store';

const windowMs = 90 * 24 * 3600 * 1000;

/** Of one read: the caller waits for the answer. */
const maxTimeMS = 8000;

interface Counted {
  first: Date;
  last: Date;
  count: number;
}

export const shown = ({ first, last, count }: Counted) => ({
  first: first.toISOString(),
  last: last.toISOString(),
  count,
});

const together = (a: Counted, b: Counted): Counted => ({
  first: a.first < b.first ? a.first : b.first,
  last: a.last > b.last ? a.last : b.last,
  count: a.count + b.count,
});

/** The occurrences of this name in the window, those of absorbed profiles too; a purchase counts as often as its quantity. */
export const countedIn = (
  { of, snapshot }: { of: Pick<Events | Purchases, 'summaries'>; snapshot: Store['snapshot'] },
  { _id, absorbed = [] }: Profile,
  { at }: { at: number },
  name: string,
): Promise<Counted[]> => {
  const query = { profiles: [_id, ...absorbed], since: new Date(at / 1000 - windowMs), name };
  return snapshot({ maxTimeMS }, async (moment) => {
    let all: Counted | undefined;
    for await (const some of of.summaries(query, moment))
      for (const one of some) all = all ? together(all, one) : one;
    return all ? [all] : [];
  });
};

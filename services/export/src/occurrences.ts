/** Counts of events and purchases from the stored occurrences of people, including those of people merged into them. */
import { type Profile, sumOf } from '@roster/profile';
import type { Decimal, Moment, Store } from '@roster/store';
import { type Breath, eachOf } from '@roster/store';
import type { AnswerRoom } from './answer-room.ts';

/** Occurrences of one name in the window. */
export interface Summary {
  name: string;
  first: string;
  last: string;
  count: number;
}

export type By<Value> = ReadonlyMap<string, Value>;

/** A quantity is that many purchases. */
const asManyPurchases = { $sum: '$quantity' };

const windowMs = 90 * 24 * 3600 * 1000;

interface Group {
  _id: { profile: string; name: string };
  first: Date;
  last: Date;
  count: number;
}

/** In milliseconds. */
interface Counted {
  name: string;
  first: number;
  last: number;
  count: number;
}

const countedIn = ({ _id, first, last, count }: Group): Counted => ({
  name: _id.name,
  first: first.getTime(),
  last: last.getTime(),
  count,
});

/** Maps each profile id, absorbed ones included, to the person who owns its occurrences. */
const ownersIn = (profiles: readonly Profile[]): Map<string, string> =>
  new Map(profiles.flatMap(({ _id, absorbed = [] }) => [_id, ...absorbed].map((id) => [id, _id] as const)));

const together = (a: Counted, b: Counted): Counted => ({
  name: a.name,
  first: Math.min(a.first, b.first),
  last: Math.max(a.last, b.last),
  count: a.count + b.count,
});

const shown = ({ first, last, ...counted }: Counted): Summary => ({
  ...counted,
  first: new Date(first).toISOString(),
  last: new Date(last).toISOString(),
});

const sorted = (counted: Iterable<Counted>): Summary[] =>
  [...counted].map(shown).toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** Of each profile by itself; answered from the index alone. */
const grouped = (
  { events, purchases }: Pick<Store, 'events' | 'purchases'>,
  moment: Moment,
  { ids, of, since }: { ids: readonly string[]; of: 'events' | 'purchases'; since: Date },
) => {
  const name = of === 'events' ? '$name' : '$product_id';
  const pipeline = [
    { $match: { profile: { $in: ids }, time: { $gte: since } } },
    {
      $group: {
        _id: { profile: '$profile', name },
        first: { $min: '$time' },
        last: { $max: '$time' },
        count: of === 'events' ? { $sum: 1 } : asManyPurchases,
      },
    },
  ];
  return of === 'events'
    ? events.aggregate<Group>(pipeline, moment)
    : purchases.aggregate<Group>(pipeline, moment);
};

export const createOccurrences = (
  store: Pick<Store, 'events' | 'purchases' | 'totals'>,
  { moment, breath, room }: { moment: Moment; breath: Breath; room: AnswerRoom },
) => {
  return {
    /** By person and name, of the 90 days before the stamp, to the millisecond. */
    async summaries(
      of: 'events' | 'purchases',
      profiles: readonly Profile[],
      stamp: number,
    ): Promise<By<Summary[]>> {
      const ownerOf = ownersIn(profiles);
      const all = new Map<string, Map<string, Counted>>();
      const since = new Date(stamp / 1000 - windowMs);
      const groups = grouped(store, moment, { ids: [...ownerOf.keys()], of, since });
      await eachOf(groups, breath, (group) => {
        room.takeSummary();
        const owner = ownerOf.get(group._id.profile) ?? '';
        const names = all.get(owner) ?? new Map<string, Counted>();
        const [before, one] = [names.get(group._id.name), countedIn(group)];
        all.set(owner, names.set(one.name, before ? together(before, one) : one));
      });
      return new Map([...all].map(([owner, names]) => [owner, sorted(names.values())]));
    },

    /** Of all times, also of purchases that were rolled up; what has no revenue has no rate, and does not count. */
    async revenues(profiles: readonly Profile[]): Promise<By<string>> {
      const ownerOf = ownersIn(profiles);
      const cursor = store.purchases.aggregate<{ _id: string; revenue: Decimal | number }>(
        [
          { $match: { profile: { $in: [...ownerOf.keys()] } } },
          { $group: { _id: '$profile', revenue: { $sum: '$revenue' } } },
        ],
        moment,
      );
      const all = new Map<string, string>();
      const add = (id: string, revenue: string): void => {
        const owner = ownerOf.get(id) ?? '';
        all.set(owner, sumOf([all.get(owner) ?? '0', revenue]));
      };
      await eachOf(cursor, breath, ({ _id, revenue }) => add(_id, revenue.toString()));
      for (const [id, revenue] of await store.totals.revenues([...ownerOf.keys()], moment)) add(id, revenue);
      return all;
    },
  };
};

/** Counts of events and purchases from the stored occurrences of people, including those of people merged into them. */
import { type Profile, sumOf } from '@roster/profile';
import {
  type Breath,
  type Moment,
  type OccurrenceKind,
  type Store,
  type Summary as Stored,
  takeEach,
} from '@roster/store';
import type { AnswerRoom } from './answer-room.ts';

/** Occurrences of one name in the window. */
export interface Summary {
  name: string;
  first: string;
  last: string;
  count: number;
}

export type ByText<Value> = ReadonlyMap<string, Value>;

const windowMs = 90 * 24 * 3600 * 1000;

/** In milliseconds. */
interface NameCount {
  name: string;
  first: number;
  last: number;
  count: number;
}

const countedIn = ({ name, first, last, count }: Stored): NameCount => ({
  name,
  first: first.getTime(),
  last: last.getTime(),
  count,
});

/** Maps each profile id, absorbed ones included, to the person who owns its occurrences. */
const ownersIn = (profiles: readonly Profile[]): Map<string, string> =>
  new Map(profiles.flatMap(({ _id, absorbed = [] }) => [_id, ...absorbed].map((id) => [id, _id] as const)));

const together = (a: NameCount, b: NameCount): NameCount => ({
  name: a.name,
  first: Math.min(a.first, b.first),
  last: Math.max(a.last, b.last),
  count: a.count + b.count,
});

const shown = ({ first, last, ...counted }: NameCount): Summary => ({
  ...counted,
  first: new Date(first).toISOString(),
  last: new Date(last).toISOString(),
});

const sorted = (counted: Iterable<NameCount>): Summary[] =>
  [...counted].map(shown).toSorted((a, b) => (a.name < b.name ? -1 : 1));

export const createOccurrences = (
  store: Pick<Store, 'events' | 'purchases' | 'totals'>,
  { moment, breath, room }: { moment: Moment; breath: Breath; room: AnswerRoom },
) => {
  return {
    /** By person and name, of the 90 days before the stamp, to the millisecond. */
    async summaries(
      of: OccurrenceKind,
      profiles: readonly Profile[],
      stamp: number,
    ): Promise<ByText<Summary[]>> {
      const ownerOf = ownersIn(profiles);
      const all = new Map<string, Map<string, NameCount>>();
      const since = new Date(stamp / 1000 - windowMs);
      const found = store[of].summaries({ profiles: [...ownerOf.keys()], since }, moment);
      await takeEach(found, breath, (summary) => {
        const owner = ownerOf.get(summary.profile) ?? '';
        const names = all.get(owner) ?? new Map<string, NameCount>();
        const [before, one] = [names.get(summary.name), countedIn(summary)];
        if (!before) room.takeSummary();
        all.set(owner, names.set(one.name, before ? together(before, one) : one));
      });
      return new Map([...all].map(([owner, names]) => [owner, sorted(names.values())]));
    },

    /** Of all times, also of purchases that were rolled up; what has no revenue has no rate, and does not count. */
    async revenues(profiles: readonly Profile[]): Promise<ByText<string>> {
      const ownerOf = ownersIn(profiles);
      const all = new Map<string, string>();
      const add = (id: string, revenue: string): void => {
        const owner = ownerOf.get(id) ?? '';
        all.set(owner, sumOf([all.get(owner) ?? '0', revenue]));
      };
      const spent = store.purchases.revenues([...ownerOf.keys()], moment);
      await takeEach(spent, breath, ({ profile, revenue }) => add(profile, revenue));
      for (const [id, revenue] of await store.totals.revenues([...ownerOf.keys()], moment)) add(id, revenue);
      return all;
    },
  };
};

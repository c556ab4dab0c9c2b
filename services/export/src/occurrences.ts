/** Counts of events and purchases from the stored occurrences of people, including those of people merged into them. */
import { type OccurrenceSummary, ownersIn, type Profile, sumOf } from '@roster/profile';
import {
  type Breath,
  joinSummaries,
  type Moment,
  type OccurrenceKind,
  type Store,
  type Summary,
  takeEach,
} from '@roster/store';
import type { AnswerRoom } from './answer-room.ts';

export type ByText<Value> = ReadonlyMap<string, Value>;

const windowMs = 90 * 24 * 3600 * 1000;

const shown = ({ name, count, first, last }: Summary): OccurrenceSummary => ({
  name,
  count,
  first: first.toISOString(),
  last: last.toISOString(),
});

const sorted = (counted: Iterable<Summary>): OccurrenceSummary[] =>
  [...counted].map(shown).toSorted((a, b) => (a.name < b.name ? -1 : 1));

export const createOccurrences = (
  store: Pick<Store, 'events' | 'purchases' | 'totals'>,
  { moment, breath, room }: { moment: Moment; breath: Breath; room: AnswerRoom },
) => ({
  /** By person and name, of the 90 days before the stamp, to the millisecond. */
  async summaries(of: OccurrenceKind, profiles: readonly Profile[], stamp: number) {
    const ownerOf = ownersIn(profiles);
    const all = new Map<string, Map<string, Summary>>();
    const since = new Date(stamp / 1000 - windowMs);
    const found = store[of].summaries({ profiles: [...ownerOf.keys()], since }, moment);
    await takeEach(found, breath, (summary) => {
      const owner = ownerOf.get(summary.profile) ?? '';
      const names = all.get(owner) ?? new Map<string, Summary>();
      const before = names.get(summary.name);
      if (!before) room.takeSummary();
      all.set(owner, names.set(summary.name, before ? joinSummaries(before, summary) : summary));
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
});

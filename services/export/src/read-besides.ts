/** The reads of an export beside profiles. */
import type { Consent, Profile } from '@roster/profile';
import type { Breath, Moment, Store } from '@roster/store';
import type { AnswerRoom } from './answer-room.ts';
import { readConsents } from './consents.ts';
import type { Summary } from './counted.ts';
import type { Need } from './fields.ts';
import { type By, createOccurrences } from './occurrences.ts';
import type { Person } from './person.ts';

/** The data beside the profiles, by service id. */
export interface Besides {
  consents?: By<Consent[]>;
  events?: By<Summary[]>;
  purchases?: By<Summary[]>;
  revenue?: By<string>;
}

export const once = (people: readonly Person[]): Person[] => [
  ...new Map(people.map((person) => [person.profile._id, person])).values(),
];

/** All at once: the snapshot was fixed when the people were found. */
export const readBesides = async (
  store: Store,
  profiles: readonly Profile[],
  needs: ReadonlySet<Need>,
  { at, ...how }: { at: number; moment: Moment; breath: Breath; room: AnswerRoom },
): Promise<Besides> => {
  const occurrences = createOccurrences(store, how);
  const read = <Value>(need: Need, work: () => Promise<By<Value>>): Promise<By<Value>> =>
    needs.has(need) && profiles.length > 0 ? work() : Promise.resolve(new Map());
  const [consents, events, purchases, revenue] = await Promise.all([
    read('said', () => readConsents(store, profiles, how)),
    read('events', () => occurrences.summaries('events', profiles, at)),
    read('purchases', () => occurrences.summaries('purchases', profiles, at)),
    read('revenue', () => occurrences.revenues(profiles)),
  ]);
  return { consents, events, purchases, revenue };
};

import type { Profile } from '@roster/profile';
import type { EventRow, Moment, PurchaseRow, Store } from '@roster/store';
import { eventLine, type Name, nameOf, purchaseLine } from './lines.ts';
import { leaveOut, type Tally } from './tally.ts';

export interface Writing {
  store: Store;
  ws: string;
  moment: Moment;
  tally: Tally;
  write(text: string): Promise<void>;
}

/** The owners of the occurrences: each service id, and the name of its person. */
const namesOf = (people: readonly Profile[]): Map<string, Name> =>
  new Map(
    people.flatMap((one) => {
      const name = nameOf(one);
      return name ? [one._id, ...(one.absorbed ?? [])].map((id) => [id, name] as const) : [];
    }),
  );

export const writeOccurrences = async (writing: Writing, people: readonly Profile[]): Promise<void> => {
  const { store, moment, tally, write } = writing;
  const names = namesOf(people);
  if (names.size === 0) return;
  const each = async <Row extends { profile: string }>(
    rows: AsyncIterable<Row>,
    kind: 'events' | 'purchases',
    lineOf: (row: Row, name: Name) => string,
  ): Promise<void> => {
    for await (const row of rows) {
      const name = names.get(row.profile);
      if (!name) continue;
      await write(lineOf(row, name));
      tally[kind] += 1;
    }
  };
  const theirs = [...names.keys()];
  await each<EventRow>(store.events.of(theirs, moment), 'events', eventLine);
  await each<PurchaseRow>(store.purchases.of(theirs, moment), 'purchases', purchaseLine);
};

/** Counts occurrences that cannot be written any more, or not for these people. */
export const countLostOccurrences = async (writing: Writing, people: readonly Profile[]): Promise<void> => {
  const { store, moment, tally } = writing;
  const ids = people.flatMap(({ _id, absorbed = [] }) => [_id, ...absorbed]);
  if (ids.length === 0) return;
  const rolledUp = await store.totals.countsOf(ids, moment);
  leaveOut(tally, 'events that were rolled up', rolledUp.events);
  leaveOut(tally, 'purchases that were rolled up', rolledUp.purchases);
  const nameless = people.filter((one) => !nameOf(one)).map(({ _id }) => _id);
  if (nameless.length === 0) return;
  leaveOut(tally, 'events of push tokens', await store.events.count(nameless, moment));
  leaveOut(tally, 'purchases of push tokens', await store.purchases.count(nameless, moment));
};

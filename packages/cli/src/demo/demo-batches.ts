/** First the people, then their activity, day after day: the same batches under the same keys whenever it is run on the same day. */
import { type Batch, batchesOf } from '../import/batches.ts';
import type { Entry, Row } from '../import/row.ts';
import { activityOn, dayOf } from './activity.ts';
import { groupEntriesOf, type Person, personOf } from './people.ts';

export interface DemoPlan {
  seed: number;
  people: number;
  days: number;
  groups: readonly string[];
  now: Date;
}

/** Line numbers of no file: they separate people, groups and activity. */
const firstLine = { people: 0, groups: 10_000_000, activity: 20_000_000 };

export const isAboutGroups = (line: number): boolean => line >= firstLine.groups && line < firstLine.activity;

/** `at` is the place of the row, and so a part of the idempotency key. */
const rowOf = (at: number, entries: Entry[]): Row => ({
  line: at,
  nextLine: at + 1,
  start: at,
  end: at + 1,
  entries,
  leftOut: [],
});

export const peopleOf = ({ seed, people }: DemoPlan): Person[] =>
  Array.from({ length: people }, (_, index) => personOf(seed, index));

async function* peopleRows(crowd: Person[]): AsyncGenerator<Row> {
  for (const { index, attributes } of crowd)
    yield rowOf(firstLine.people + index, [{ array: 'attributes', value: attributes }]);
}

async function* groupRows(crowd: Person[], { seed, groups }: DemoPlan): AsyncGenerator<Row> {
  for (const person of crowd)
    for (const value of groupEntriesOf(seed, person, groups))
      yield rowOf(firstLine.groups + person.index, [{ array: 'attributes', value }]);
}

async function* dayRows(crowd: Person[], seed: number, day: number): AsyncGenerator<Row> {
  for (const person of crowd) {
    const entries = activityOn(seed, person, day);
    const row = rowOf(firstLine.activity + day * 100_000 + person.index, entries);
    if (entries.length > 0) yield row;
  }
}

/** Whole days, up to yesterday: today is not over, and would be different an hour later. */
async function* parts(plan: DemoPlan): AsyncGenerator<AsyncIterable<Row>> {
  const crowd = peopleOf(plan);
  const today = dayOf(plan.now.getTime());
  yield peopleRows(crowd);
  yield groupRows(crowd, plan);
  for (let day = today - plan.days; day < today; day++) yield dayRows(crowd, plan.seed, day);
}

export async function* demoBatches(plan: DemoPlan): AsyncGenerator<Batch> {
  let index = 0;
  for await (const rows of parts(plan))
    for await (const batch of batchesOf(rows, { entries: 50 })) yield { ...batch, index: index++ };
}

/** First the people, then their activity, day after day: the same batches under the same keys whenever it is run on the same day. */
import { type Batch, batchesOf } from '../import/batches.ts';
import type { Entry, Row } from '../import/row.ts';
import { activityOn, dayOf } from './activity.ts';
import { consentsOf, type Person, personOf } from './people.ts';

export interface DemoPlan {
  seed: number;
  people: number;
  days: number;
  groups: readonly string[];
  now: Date;
}

/** Line numbers of no file: they separate people and activity. */
const firstActivity = 20_000_000;

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

function* peopleRows(crowd: Person[], { seed, groups }: DemoPlan): Generator<Row> {
  for (const person of crowd) {
    const consents = consentsOf(seed, person, groups);
    const value = { ...person.attributes, ...(consents.length > 0 && { subscription_groups: consents }) };
    yield rowOf(person.index, [{ array: 'attributes', value }]);
  }
}

function* dayRows(crowd: Person[], seed: number, day: number): Generator<Row> {
  for (const person of crowd) {
    const entries = activityOn(seed, person, day);
    const row = rowOf(firstActivity + day * 100_000 + person.index, entries);
    if (entries.length > 0) yield row;
  }
}

/** Whole days, up to yesterday: today is not over, and would be different an hour later. */
function* parts(plan: DemoPlan): Generator<Iterable<Row>> {
  const crowd = peopleOf(plan);
  const today = dayOf(plan.now.getTime());
  yield peopleRows(crowd, plan);
  for (let day = today - plan.days; day < today; day++) yield dayRows(crowd, plan.seed, day);
}

export const demoBatches = (plan: DemoPlan): AsyncIterable<Batch> => batchesOf(parts(plan), 50);

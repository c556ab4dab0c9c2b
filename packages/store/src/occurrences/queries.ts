/** What is read about people: a branch for each person and generation. */
import type { Db, Decimal } from '../connection/db.ts';
import type { OccurrenceKind } from '../models/occurrences.ts';
import {
  type Branch,
  fewThrough,
  type OccurrenceReading,
  type ReadGenerations,
  through,
} from './branches.ts';
import { isWritten } from './generations.ts';
import { isServiceId, type KeyParts, type KeySpan, keysOf, profileIn, timeIn } from './key.ts';
import { rowOf, type Stored } from './rows.ts';

/** Occurrences of one person and name. */
export interface Summary {
  profile: string;
  name: string;
  first: Date;
  last: Date;
  count: number;
}

/** Both together, under the first one's name. */
export const joinSummaries = <One extends Pick<Summary, 'first' | 'last' | 'count'>>(
  a: One,
  b: One,
): One => ({
  ...a,
  first: a.first < b.first ? a.first : b.first,
  last: a.last > b.last ? a.last : b.last,
  count: a.count + b.count,
});

interface Summed {
  _id: string;
  first: Buffer;
  last: Buffer;
  count: number;
}

const summaryIn = ({ _id, first, last, count }: Summed): Summary => ({
  profile: profileIn(first),
  name: _id,
  first: timeIn(first),
  last: timeIn(last),
  count,
});

/** @public The declarations of open-store.ts name it. What was spent by one person. */
export interface Revenue {
  profile: string;
  revenue: string;
}

interface Spent {
  /** One of the keys. */
  key: Buffer;
  revenue: Decimal | number;
}

/** @public The declarations of open-store.ts name it. */
export interface SummaryQuery {
  profiles: readonly string[];
  since: Date;
  /** Of this name or product alone. */
  name?: string;
}

/** A quantity counts as that many purchases. */
const summaryOf = {
  events: { name: '$name', count: { $sum: 1 } },
  purchases: { name: '$product_id', count: { $sum: '$quantity' } },
} as const;

/** The order of the collection itself, so nothing is sorted. The first and the last key of a name are found without comparisons. */
const inOrder = { $sort: { _id: 1 } };

/** The pipelines over the rows of people: a branch for each of them and each generation. */
const createBranches = (db: Db, all: ReadGenerations) => {
  /** The list of generations is read in the session of the query: it belongs to the same moment as the rows. */
  const branchesOf = async (
    { profiles, ...span }: KeySpan & { profiles: readonly string[] },
    pipeline: object[],
    reading: OccurrenceReading,
  ): Promise<Branch[]> => {
    if (profiles.length === 0) return [];
    const generations = (await all(reading)).filter(isWritten);
    return profiles.filter(isServiceId).flatMap((profile) => {
      const theirs = [{ $match: { _id: keysOf(profile, span) } }, ...pipeline];
      return generations.map(({ _id: coll }) => ({ coll, pipeline: theirs }));
    });
  };

  const about = async function* <Found extends object>(
    people: Parameters<typeof branchesOf>[0],
    pipeline: object[],
    reading: OccurrenceReading,
  ): AsyncGenerator<Found[]> {
    yield* through<Found>(db, await branchesOf(people, pipeline, reading), reading);
  };

  return { branchesOf, about };
};

export const createQueries = <Row extends KeyParts>(db: Db, of: OccurrenceKind, all: ReadGenerations) => {
  const { branchesOf, about } = createBranches(db, all);

  return {
    /** By person and name, and by place where they are stored: several of one name may come. */
    async *summaries({ name, ...people }: SummaryQuery, reading: OccurrenceReading = {}) {
      const { name: field, count } = summaryOf[of];
      const named = name === undefined ? [] : [{ $match: { [field.slice(1)]: name } }];
      const group = { _id: field, first: { $first: '$_id' }, last: { $last: '$_id' }, count };
      const pipeline = [...named, inOrder, { $group: group }];
      for await (const some of about<Summed>(people, pipeline, reading)) yield some.map(summaryIn);
    },

    /** By person, and by place too; purchases without revenue count as zero. */
    async *revenues(profiles: readonly string[], reading: OccurrenceReading = {}): AsyncGenerator<Revenue[]> {
      const group = { _id: null, key: { $first: '$_id' }, revenue: { $sum: '$revenue' } };
      for await (const some of about<Spent>({ profiles }, [{ $group: group }], reading))
        yield some.map(({ key, revenue }) => ({ profile: profileIn(key), revenue: revenue.toString() }));
    },

    /** The time of the last one of each; profiles without any are absent. */
    async lastOfEach(profiles: readonly string[], reading: OccurrenceReading = {}) {
      const pipeline = [{ $sort: { _id: -1 } }, { $limit: 1 }, { $project: { _id: 1 } }];
      const branches = await branchesOf({ profiles }, pipeline, reading);
      const last = new Map<string, Date>();
      for (const { _id } of await fewThrough<Stored>(db, branches, reading)) {
        const [profile, time] = [profileIn(_id), timeIn(_id)];
        if (time > (last.get(profile) ?? time) || !last.has(profile)) last.set(profile, time);
      }
      return last;
    },

    /**
     * The last rows of each person since a time, up to a number: only person and time. A person with rows in several places may have more than
     * the number.
     */
    async *latest(profiles: readonly string[], since: Date, most: number) {
      const pipeline = [{ $sort: { _id: -1 } }, { $limit: most }, { $project: { _id: 1 } }];
      for await (const some of about<Stored>({ profiles, since }, pipeline, {}))
        for (const { _id } of some) yield { profile: profileIn(_id), time: timeIn(_id) };
    },

    /** Person by person, in the order of their times within each place; with a number the newest so many of each place, newest first. */
    async *of(profiles: readonly string[], reading: OccurrenceReading = {}, newest = 0): AsyncGenerator<Row> {
      const pipeline = newest > 0 ? [{ $sort: { _id: -1 } }, { $limit: newest }] : [];
      for await (const some of about<Stored>({ profiles }, pipeline, reading))
        for (const stored of some) yield rowOf<Row>(stored);
    },

    async count(profiles: readonly string[], reading: OccurrenceReading = {}): Promise<number> {
      let sum = 0;
      for await (const some of about<{ n: number }>({ profiles }, [{ $count: 'n' }], reading))
        for (const { n } of some) sum += n;
      return sum;
    },
  };
};

/** The queries of generations, over the rows that are not migrated yet. */
import type mongoose from 'mongoose';
import type { Db } from '../../db.ts';
import type { Decimal } from '../../decimal.ts';
import type { Kind } from '../../documents.ts';
import type { KeyParts } from '../key.ts';
import { type Queries, type Summary, summaryOf } from '../queries.ts';
import type { MayGoOn, Reading } from '../reading.ts';
import { type EarlierRow, earlierRows, sentOf } from './row.ts';

const rowsAtOnce = 1000;

interface Summed extends Omit<Summary, 'profile' | 'name'> {
  _id: { profile: string; name: string };
}

interface Spent {
  _id: string;
  revenue: Decimal | number;
}

interface Last {
  _id: string;
  time: Date;
}

export const createEarlierQueries = <Row extends KeyParts>(db: Db, of: Kind): Queries<Row> => {
  const rows = earlierRows(db, of);
  const batches = async function* <Found extends mongoose.mongo.Document>(
    pipeline: object[],
    reading: Reading,
  ): AsyncGenerator<Found[]> {
    const cursor = rows.aggregate<Found>(pipeline, { ...reading });
    while (await cursor.hasNext()) yield cursor.readBufferedDocuments();
  };
  const about = (profiles: readonly string[]) => ({ profile: { $in: [...profiles] } });

  return {
    async *summaries({ profiles, since, name }, reading = {}) {
      const { name: field, count } = summaryOf[of];
      const named = name === undefined ? {} : { [field.slice(1)]: name };
      const $match = { ...about(profiles), time: { $gte: since }, ...named };
      const _id = { profile: '$profile', name: field };
      const $group = { _id, first: { $min: '$time' }, last: { $max: '$time' }, count };
      for await (const some of batches<Summed>([{ $match }, { $group }], reading))
        yield some.map(({ _id, ...rest }) => ({ ..._id, ...rest }));
    },

    async *revenues(profiles, reading = {}) {
      const $group = { _id: '$profile', revenue: { $sum: '$revenue' } };
      for await (const some of batches<Spent>([{ $match: about(profiles) }, { $group }], reading))
        yield some.map(({ _id: profile, revenue }) => ({ profile, revenue: revenue.toString() }));
    },

    async lastOfEach(profiles, reading = {}, until) {
      const pipeline = [
        { $match: { ...about(profiles), ...(until && { time: { $lt: until } }) } },
        { $sort: { profile: -1, time: -1 } },
        { $group: { _id: '$profile', time: { $first: '$time' } } },
      ];
      const last = await rows.aggregate<Last>(pipeline, { ...reading }).toArray();
      return new Map(last.map(({ _id, time }) => [_id, time]));
    },

    async *latest(profiles, since, most) {
      for (const profile of profiles)
        yield* rows.find<{ profile: string; time: Date }>(
          { profile, time: { $gte: since } },
          { sort: { time: -1 }, limit: most, projection: { _id: 0, profile: 1, time: 1 } },
        );
    },

    async *of(profiles, reading = {}, newest = 0) {
      const order =
        newest > 0 ? [{ $sort: { time: -1 } }, { $limit: newest }] : [{ $sort: { profile: 1, time: 1 } }];
      const pipeline = [{ $match: about(profiles) }, ...order];
      for await (const some of batches<EarlierRow>(pipeline, reading))
        for (const row of some) {
          const { request: _, ...read } = sentOf<Row>(row);
          yield read as unknown as Row;
        }
    },

    count: (profiles, reading = {}) => rows.countDocuments(about(profiles), { ...reading }),
  };
};

/** Removes all of them, in small steps. */
export const removeEarlier = async (
  db: Db,
  of: Kind,
  { profiles, mayGoOn, reading }: { profiles: readonly string[]; mayGoOn: MayGoOn; reading: Reading },
): Promise<void> => {
  const rows = earlierRows(db, of);
  for (;;) {
    await mayGoOn();
    const theirs = { profile: { $in: [...profiles] } };
    const how = { ...reading, projection: { _id: 1 }, limit: rowsAtOnce } as const;
    const some = await rows.find(theirs, how).toArray();
    if (some.length === 0) return;
    await rows.deleteMany({ _id: { $in: some.map(({ _id }) => _id) } });
  }
};

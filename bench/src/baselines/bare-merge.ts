// The yardstick of merges: for each pair one document is removed and three are changed, in plain transactions, one after the other.
import { answerWithMongo, type Servers, writeTogether } from './bare-mongo.ts';

export interface MergeTask extends Servers {
  merges: number;
  /** In each transaction. */
  batch: number;
}

interface Row {
  _id: string;
  plan: string;
  owner?: string;
}

const names = ['away', 'kept', 'name-of-away', 'name-of-kept'] as const;

answerWithMongo<MergeTask>(async (client, { merges, batch }) => {
  const rows = client.db().collection<Row>('bench_bare_merge');
  const run = Date.now();
  const idOf = (name: string, n: number): string => `${run}-${name}-${n}`;
  for (let from = 0; from < merges; from += batch) {
    const some = Array.from({ length: batch }, (_, i) =>
      names.map((name) => ({ _id: idOf(name, from + i), plan: 'free' })),
    );
    await rows.insertMany(some.flat(), { ordered: false });
  }
  const change = (name: string, n: number, $set: Partial<Row>) => ({
    updateOne: { filter: { _id: idOf(name, n) }, update: { $set } },
  });
  // Writes of one kind go to MongoDB together.
  const writesOf = (numbers: number[]) => [
    ...numbers.map((n) => ({ deleteOne: { filter: { _id: idOf('away', n) } } })),
    ...numbers.flatMap((n) => [
      change('kept', n, { plan: 'paid' }),
      change('name-of-away', n, { owner: idOf('kept', n) }),
      change('name-of-kept', n, { owner: idOf('kept', n) }),
    ]),
  ];
  return async () => {
    for (let from = 0; from < merges; from += batch)
      await writeTogether(client, rows, writesOf(Array.from({ length: batch }, (_, i) => from + i)));
    return merges;
  };
});

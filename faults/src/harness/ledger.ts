// What became of each request, read from its bare mark.
import type { Db } from './mongo.ts';

export interface Mark {
  at: number;
  op: string;
  /** One result an entry, by the name of the list. */
  entries: Record<string, string[]>;
}

export type Ledger = Map<string, Mark>;

interface Stored {
  _id: string;
  at: number;
  op: string;
  entries?: Record<string, string[]>;
}

/** `updated*3` stands for three of them. */
const unpacked = (packed: readonly string[]): string[] =>
  packed.flatMap((text) => {
    const [, result = text, times = '1'] = /^(.*)\*(\d+)$/.exec(text) ?? [];
    return Array.from({ length: Number(times) }, () => result);
  });

export const readLedger = async (mongo: Db): Promise<Ledger> => {
  const found = await mongo.collection<Stored>('requests').find({}, { batchSize: 10_000 }).toArray();
  return new Map(
    found.map(({ _id, at, op, entries = {} }) => {
      const all = Object.entries(entries).map(([list, packed]) => [list, unpacked(packed)] as const);
      return [_id, { at, op, entries: Object.fromEntries(all) }];
    }),
  );
};

/** Moves the rows of generations that are merged, in the order of their keys. A step is one transaction, so a row is here or there. */
import type { Collection, Db, Session } from '../db.ts';
import type { GenerationDocument } from '../documents.ts';
import type { Transact } from '../transact.ts';
import { asBuffers } from './branches.ts';
import { bytesInStep, rowsUpTo, stepLimitMs } from './moving.ts';
import type { Stored } from './rows.ts';
import type { Merge } from './tiers.ts';

interface Row extends Stored {
  properties?: string;
}

interface Head {
  from: Collection<Row>;
  rows: Row[];
  /** There may be more. */
  isCut: boolean;
}

const headOf = async (
  from: Collection<Row>,
  after: Buffer,
  session: Session,
  most: { rows: number; bytes: number },
): Promise<Head> => {
  const how = { session, sort: { _id: 1 }, limit: most.rows, batchSize: most.rows + 1 } as const;
  const { rows, isCut } = await rowsUpTo(from.find({ _id: { $gt: after } }, how), most.bytes);
  return { from, rows, isCut: isCut || rows.length === most.rows };
};

/** Up to this key all rows are known. */
const knownUpTo = (heads: readonly Head[]): Buffer | undefined =>
  heads
    .flatMap(({ isCut, rows }) => (isCut ? (rows.at(-1)?._id ?? []) : []))
    .toSorted(Buffer.compare)
    .at(0);

const remove = async ({ from, rows }: Head, session: Session): Promise<void> => {
  const [$gte, $lte] = [rows[0]?._id, rows.at(-1)?._id];
  if (!$gte || !$lte) return;
  const { deletedCount } = await from.deleteMany({ _id: { $gte, $lte } }, { session });
  if (deletedCount !== rows.length) throw new Error(`${deletedCount} rows of ${rows.length} were removed`);
};

/** Moves the next rows after a key. Returns the last key and the number, or nothing at the end. */
export const createMove = (db: Db, transact: Transact) => {
  const rowsOf = ({ _id }: GenerationDocument): Collection<Row> => db.collection<Row>(_id, asBuffers);

  return ({ from, into }: Merge, after: Buffer, rowsInStep: number) => {
    const most = {
      rows: Math.ceil(rowsInStep / from.length),
      bytes: Math.ceil(bytesInStep / from.length),
    };
    return transact(
      async (session) => {
        const heads: Head[] = [];
        for (const one of from) heads.push(await headOf(rowsOf(one), after, session, most));
        const upTo = knownUpTo(heads);
        const taken = heads.map((head) => ({
          ...head,
          rows: upTo ? head.rows.filter(({ _id }) => Buffer.compare(_id, upTo) <= 0) : head.rows,
        }));
        const rows = taken.flatMap((head) => head.rows).toSorted((a, b) => Buffer.compare(a._id, b._id));
        const last = rows.at(-1)?._id;
        if (!last) return undefined;
        await rowsOf(into).insertMany(rows, { session });
        for (const head of taken) await remove(head, session);
        return { last, count: rows.length };
      },
      { limitMs: stepLimitMs },
    );
  };
};

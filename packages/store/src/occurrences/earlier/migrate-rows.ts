/** Moves rows of the earlier layout into a generation. A step is one transaction. */
import mongoose from 'mongoose';
import type { Collection, Db, Session } from '../../db.ts';
import type { GenerationDocument, Kind } from '../../documents.ts';
import type { Transact } from '../../transact.ts';
import { dayOf } from '../generations.ts';
import { bytesInStep, type Moved, rowsUpTo, stepLimitMs } from '../moving.ts';
import { type Stored, storedOf } from '../rows.ts';
import { type EarlierRow, earlierGeneration, earlierIndex, earlierRows, sentOf } from './row.ts';

/** MongoDB keeps the rows of a killed run as long, at most. */
const patienceMs = 90_000;

const { MinKey } = mongoose.mongo.BSON;

const startAt = (of: Kind, { profile, time }: EarlierRow): object => {
  const [, , ...others] = Object.keys(earlierIndex[of].key);
  return { profile, time, ...Object.fromEntries(others.map((name) => [name, new MinKey()])) };
};

export type Generations = Collection<GenerationDocument>;

/** Moves the next rows, from this one on. */
export const createStep = (db: Db, generations: Generations, transact: Transact) => {
  /** The next rows from this one on; it may be there itself. */
  const next = async (
    of: Kind,
    from: EarlierRow | undefined,
    { session, most }: { session: Session; most: number },
  ): Promise<EarlierRow[]> => {
    const { name: hint } = earlierIndex[of];
    const range = from ? { min: startAt(of, from) } : {};
    const found = earlierRows(db, of).find({}, { session, hint, ...range, limit: most });
    return (await rowsUpTo(found, bytesInStep)).rows;
  };

  /** Readers skip a generation that begins on a later day. */
  const announce = (of: Kind, rows: readonly EarlierRow[]) => {
    const oldest = dayOf(Math.min(...rows.map(({ time }) => time.getTime())));
    return generations.updateOne({ _id: earlierGeneration(of) }, { $min: { oldest } });
  };

  return (of: Kind, from: EarlierRow | undefined, most: number): Promise<Moved<EarlierRow> | undefined> =>
    transact(
      async (session) => {
        const rows = await next(of, from, { session, most });
        const last = rows.at(-1);
        if (!last) return undefined;
        await announce(of, rows);
        const target = db.collection<Stored>(earlierGeneration(of));
        await target.insertMany(
          rows.map((row) => storedOf(sentOf(row))),
          { session },
        );
        const ids = rows.map(({ _id }) => _id);
        const { deletedCount } = await earlierRows(db, of).deleteMany({ _id: { $in: ids } }, { session });
        if (deletedCount !== rows.length) throw new Error(`${rows.length - deletedCount} rows were gone`);
        return { last, count: rows.length };
      },
      { limitMs: stepLimitMs, patienceMs },
    );
};

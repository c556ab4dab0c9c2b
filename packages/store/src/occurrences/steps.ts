/** Makes, closes and drops generations. Each step can be repeated, and be done by several processes at once. */
import { type Collection, type Db, ensureCollection } from '../connection/db.ts';
import type { GenerationDocument, OccurrenceKind } from '../shapes/documents.ts';
import { type GenerationLimits, isFull } from './is-full.ts';
import { generationName } from './name.ts';

/** Longer than any transaction that began while a generation was open, and than any snapshot that still reads removed rows. */
export const settledAfterMs = 60 * 60 * 1000;

export interface StepOptions {
  db: Db;
  of: OccurrenceKind;
  limits: GenerationLimits;
}

/** The collection of a generation. */
export const createCollectionOf = async (db: Db, name: string): Promise<void> => {
  await ensureCollection(db, name, { clusteredIndex: { key: { _id: 1 }, unique: true } });
};

/** Drops an empty generation that nobody writes or reads any more. The time begins when it is first found empty. */
export const dropEmpty = async (
  db: Db,
  generations: Collection<GenerationDocument>,
  { _id, closed, emptied }: GenerationDocument,
  now = Date.now(),
): Promise<boolean> => {
  const isSettled = (since: Date | undefined) =>
    since !== undefined && since.getTime() < now - settledAfterMs;
  if (!isSettled(closed)) return false;
  if (!emptied) await generations.updateOne({ _id }, [{ $set: { emptied: '$$NOW' } }]);
  if (!isSettled(emptied)) return false;
  await db.dropCollection(_id);
  await generations.deleteOne({ _id });
  return true;
};

export const createSteps = (
  { db, of, limits }: StepOptions,
  generations: Collection<GenerationDocument>,
) => ({
  async make(n: number): Promise<void> {
    const _id = generationName(of, n);
    await createCollectionOf(db, _id);
    await generations.updateOne({ _id }, { $setOnInsert: { of, n } }, { upsert: true });
  },

  /** Closes it if it is full. Returns whether it is closed. */
  async closeIfFull(name: string): Promise<boolean> {
    if (!(await isFull(db, name, limits))) return false;
    await generations.updateOne({ _id: name, closed: { $exists: false } }, [{ $set: { closed: '$$NOW' } }]);
    return true;
  },

  foundEmpty: (generation: GenerationDocument, now?: number): Promise<boolean> =>
    dropEmpty(db, generations, generation, now),
});

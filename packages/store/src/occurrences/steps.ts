/** Makes, closes and drops generations. Each step can be repeated, and be done by several processes at once. */
import type { Collection, Db } from '../db.ts';
import type { GenerationDocument, Kind } from '../documents.ts';
import { dropEmpty } from './drop-empty.ts';
import { type GenerationLimits, isFull } from './is-full.ts';
import { generationName } from './name.ts';

const namespaceExists = 48;

export interface StepOptions {
  db: Db;
  of: Kind;
  limits: GenerationLimits;
}

/** The collection of a generation. */
export const createCollectionOf = async (db: Db, name: string): Promise<void> => {
  const clusteredIndex = { key: { _id: 1 }, unique: true };
  await db.createCollection(name, { clusteredIndex }).catch((error: { code?: unknown }) => {
    if (error.code !== namespaceExists) throw error;
  });
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

  /** Whether it is closed now. */
  async closeIfFull(name: string): Promise<boolean> {
    if (!(await isFull(db, name, limits))) return false;
    await generations.updateOne({ _id: name, closed: { $exists: false } }, [{ $set: { closed: '$$NOW' } }]);
    return true;
  },

  foundEmpty: (generation: GenerationDocument, now?: number): Promise<boolean> =>
    dropEmpty(db, generations, generation, now),
});

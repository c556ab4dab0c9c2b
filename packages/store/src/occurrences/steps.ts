/** Makes and drops generations. Each step can be repeated, and be done by several processes at once. */
import { type Collection, type Db, ensureCollection } from '../connection/db.ts';
import type { GenerationDocument, OccurrenceKind } from '../models/occurrences.ts';

/** Longer than any transaction that began while a generation was open, and than any snapshot that still reads removed rows. */
export const settledAfterMs = 60 * 60 * 1000;

export const kinds = ['events', 'purchases'] as const satisfies readonly OccurrenceKind[];

export const generationName = (of: OccurrenceKind, n: number): string => `${of}_${n}`;

/** What a collection holds, if it is a generation. */
export const kindIn = (collection: string): OccurrenceKind | undefined =>
  kinds.find((of) => new RegExp(`^${of}_\\d+$`).test(collection));

/** The collection of a generation. It is judged as the collection of its kind is, which is there where MongoDB judges: see models/validators.ts. */
export const createCollectionOf = async (db: Db, name: string): Promise<void> => {
  const judged = await db.listCollections({ name: kindIn(name) ?? name }).next();
  const validator = judged && 'options' in judged ? judged.options?.validator : undefined;
  await ensureCollection(db, name, {
    clusteredIndex: { key: { _id: 1 }, unique: true },
    ...(validator && { validator }),
  });
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

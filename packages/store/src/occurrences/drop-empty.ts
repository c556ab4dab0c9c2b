/** Drops generations without rows. */
import type { Collection, Db } from '../db.ts';
import type { GenerationDocument } from '../documents.ts';

/** No transaction or snapshot from the time when a generation was open lasts this long. */
export const settledAfterMs = 60 * 60 * 1000;

/** Drops an empty generation after no process writes or reads it. The time begins when it is first found empty. */
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

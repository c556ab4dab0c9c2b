/** Reads people in all generations: a branch for each person and generation, and many branches in one aggregation. */
import type mongoose from 'mongoose';
import type { Db, Session } from '../connection/db.ts';
import type { GenerationDocument } from '../models/occurrences.ts';

/** The session of a transaction, or a snapshot. Without either: data that a majority has. */
export interface OccurrenceReading
  extends Pick<mongoose.mongo.AggregateOptions, 'readConcern' | 'maxTimeMS'> {
  session?: Session;
}

export type ReadGenerations = (reading?: OccurrenceReading) => Promise<GenerationDocument[]>;

/** Called before each step of a removal; it throws to end the removal. */
export type MayGoOn = () => void | Promise<void>;

export interface Branch {
  coll: string;
  pipeline: object[];
}

/** MongoDB takes a thousand stages. */
const mostAtOnce = 300;

/** The server's own binary values, as buffers. */
export const asBuffers = { promoteBuffers: true } as const;

/** Most results come in the first answer and leave no cursor behind. */
const batchSize = 5_000;

/** In the order of the branches, as many at once as the server sends. */
export async function* through<Found extends mongoose.mongo.Document>(
  db: Db,
  branches: readonly Branch[],
  reading: OccurrenceReading,
): AsyncGenerator<Found[]> {
  for (let from = 0; from < branches.length; from += mostAtOnce) {
    const [first, ...more] = branches.slice(from, from + mostAtOnce);
    if (!first) return;
    const pipeline = [...first.pipeline, ...more.map((branch) => ({ $unionWith: branch }))];
    const how = { ...reading, ...asBuffers, batchSize };
    const cursor = db.collection(first.coll).aggregate<Found>(pipeline, how);
    while (await cursor.hasNext()) yield cursor.readBufferedDocuments();
  }
}

/** A few results of each branch, in a transaction too: MongoDB refuses `$unionWith` there. */
export const fewThrough = async <Found>(db: Db, branches: readonly Branch[], reading: OccurrenceReading) => {
  const found: Found[] = [];
  for (let from = 0; from < branches.length; from += mostAtOnce) {
    const some = branches.slice(from, from + mostAtOnce);
    const joined = some.map(({ coll, pipeline }, n) => ({ $lookup: { from: coll, pipeline, as: `${n}` } }));
    const one = [{ $match: { _id: some[0]?.coll } }, { $replaceWith: {} }];
    const how = { ...reading, ...asBuffers };
    const results = db.collection('generations').aggregate<Record<string, Found[]>>([...one, ...joined], how);
    for (const result of await results.toArray()) found.push(...Object.values(result).flat());
  }
  return found;
};

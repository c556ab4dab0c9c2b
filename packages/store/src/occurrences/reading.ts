import type mongoose from 'mongoose';
import type { Session } from '../connection/db.ts';
import type { GenerationDocument } from '../shapes/documents.ts';

/** The session of a transaction, or a snapshot. Without either: data that a majority has. */
export interface OccurrenceReading
  extends Pick<mongoose.mongo.AggregateOptions, 'readConcern' | 'maxTimeMS'> {
  session?: Session;
}

export type ReadGenerations = (reading?: OccurrenceReading) => Promise<GenerationDocument[]>;

/** Called before each step of a removal; it throws to end the removal. */
export type MayGoOn = () => void | Promise<void>;

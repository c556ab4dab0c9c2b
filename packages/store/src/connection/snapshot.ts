/** Several reads of one moment: a merge or deletion meanwhile is either fully visible or not at all. */
import mongoose from 'mongoose';
import type { Client, Session } from './db.ts';

/** Goes with every read of the snapshot. */
export interface Moment {
  session: Session;
  readConcern: mongoose.mongo.ReadConcernLike;
  maxTimeMS: number;
}

export interface SnapshotOptions {
  /** The time limit of each read in MongoDB. */
  maxTimeMS: number;
  /** A moment from an earlier snapshot, in the form of `clusterTimeOf`. MongoDB keeps only the last few minutes. */
  at?: string | undefined;
}

/** Where the driver keeps the moment of a snapshot; there is no public access to it yet. */
interface Fixed {
  snapshotTime?: mongoose.mongo.BSON.Timestamp;
}

const { Timestamp } = mongoose.mongo.BSON;

/** The moment that the first read has fixed: seconds since the epoch, a full stop, a counter. */
export const clusterTimeOf = ({ session }: Moment): string | undefined => {
  const { snapshotTime } = session as Fixed;
  return snapshotTime && `${snapshotTime.getHighBitsUnsigned()}.${snapshotTime.getLowBitsUnsigned()}`;
};

const fix = (session: Session, at: string): void => {
  const [t = 0, i = 0] = at.split('.', 2).map(Number);
  (session as Fixed).snapshotTime = new Timestamp({ t, i });
};

/**
 * The first read fixes the moment, so it has to be awaited before any other. It sees everything that a majority has written. There is no
 * transaction: a snapshot blocks no other operation, and nothing of it has to be undone.
 */
export const createSnapshot =
  (client: Client) =>
  async <Result>({ maxTimeMS, at }: SnapshotOptions, work: (moment: Moment) => Promise<Result>) => {
    const session = client.startSession({ snapshot: true });
    if (at !== undefined) fix(session, at);
    try {
      // The connection's own read concern would take precedence over that of the session.
      return await work({ session, maxTimeMS, readConcern: { level: 'snapshot' } });
    } finally {
      await session.endSession();
    }
  };

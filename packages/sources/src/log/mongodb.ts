import { MongoBulkWriteError } from 'mongodb';
import type { Session } from '../mongodb/session.ts';
import type { LogLine, Writer } from './writer.ts';

const isThere = 11_000;

/** Without one, only the `_id` tells lines apart: no index has to be made. */
const documentOf = ({ reason, ...line }: LogLine) => ({
  _id: { job: line.job, key: line.key, result: line.result },
  ...line,
  reason: reason === '' ? null : reason,
  logged_at: new Date(),
});

/** Throws what is wrong besides lines that are there already. */
const unlessThere = (error: unknown): void => {
  const wrong = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
  const other = wrong.find(({ code }) => code !== isThere);
  if (other || wrong.length === 0) throw other ?? error;
};

export const mongodbWriter = (table: string): Writer<Session> => ({
  begin: ({ connected }) => connected(),
  async insert({ db, maxTimeMS }, lines, isKept) {
    const [log, documents] = [db.collection<ReturnType<typeof documentOf>>(table), lines.map(documentOf)];
    if (isKept)
      return log
        .insertMany(documents, { maxTimeMS, ordered: false, writeConcern: { w: 'majority' } })
        .catch(unlessThere);
    return db.client.withSession(async (session) => {
      session.startTransaction();
      await log.insertMany(documents, { session });
      await session.abortTransaction();
    });
  },
});

/**
 * Transactions that a killed process has left open. They stand in the way of all others who write about the same people, until MongoDB ends them
 * after `transactionLifetimeLimitSeconds`. Whoever meets a conflict that lasts looks for them.
 */
import type { Client } from './db.ts';

/** Names of our processes at MongoDB, which others may use too. */
const ours = '^roster-';

const pauseMs = 1_000;
const most = 100;
const timeoutMS = 1_000;

/** MongoDB tells of the present, as it is. */
const options = { timeoutMS, readConcern: { level: 'local' } } as const;

const isLeft = {
  $and: [
    { $eq: ['$type', 'idleSession'] },
    { $gt: ['$transaction', null] },
    { $regexMatch: { input: { $ifNull: ['$appName', ''] }, regex: ours } },
  ],
};

/** A process that lives keeps its connections. These are of our own user, whom MongoDB tells of them without a right to look. */
const sessionsWithoutConnection = [
  { $currentOp: { allUsers: false, idleSessions: true, idleConnections: true } },
  { $match: { connectionId: { $exists: true } } },
  {
    $group: {
      _id: '$connectionId',
      isConnected: { $max: { $eq: ['$type', 'op'] } },
      sessions: { $addToSet: { $cond: [isLeft, '$lsid.id', '$$REMOVE'] } },
    },
  },
  { $match: { isConnected: false } },
  { $unwind: '$sessions' },
  { $limit: most },
];

/** Ends them, at most once in a second. */
export const createEndAbandoned = (client: Client) => {
  const admin = client.db('admin');
  let next = 0;

  const end = async (): Promise<void> => {
    const found = await admin.aggregate(sessionsWithoutConnection, options).toArray();
    const killSessions = found.map(({ sessions: id }) => ({ id }));
    if (killSessions.length > 0) await admin.command({ killSessions }, { timeoutMS });
  };

  return async (): Promise<void> => {
    if (performance.now() < next) return;
    next = performance.now() + pauseMs;
    // A hosted MongoDB may refuse the question: then its own limit ends them.
    await end().catch(() => {});
  };
};

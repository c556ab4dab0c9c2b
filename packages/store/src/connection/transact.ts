/** One transaction, tried again as a whole after a conflict with another one. Conflicts are retried here and nowhere else. */
import { setTimeout as pause } from 'node:timers/promises';
import { createEndAbandoned } from './abandoned.ts';
import { hasLabel, isConflict, isEnded, TransactionTooLong } from './classify.ts';
import type { Client, Session } from './db.ts';

export interface TransactLimits {
  /** How long conflicts are retried; then the error goes to the caller, who may wait longer. */
  patienceMs?: number;
  /** The time limit of each try. */
  limitMs?: number;
}

interface TransactOptions extends TransactLimits {
  /** For a metric: the conflict, and the number of attempts so far. */
  onConflict?(error: unknown, attempt: number): void;
}

export type Transact = <Result>(
  work: (session: Session, attempt: number) => Promise<Result>,
  options?: TransactOptions,
) => Promise<Result>;

const transactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 10_000 },
} as const;

const mostCommits = 5;

/**
 * MongoDB ends a transaction after 10 s if it is configured well, and after a minute otherwise. Other transactions must not wait that long for
 * one.
 */
const usualLimits = { patienceMs: 5_000, limitMs: 7_000 };

/** The pause before another try, with full jitter, doubling up to a quarter of a second: two transactions that collided must not collide again. */
const backoffMs = (attempt: number): number => Math.random() * Math.min(2 * 2 ** attempt, 250);

/** Of one transaction. Those who work collide, too; after so many tries it is worth asking who stands in the way. */
const manyConflicts = 3;

/** Committing twice is safe, so an unknown answer is asked for again. */
const commit = async (session: Session): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      const isUnknown = hasLabel(error, 'UnknownTransactionCommitResult');
      if (!isUnknown || attempt >= mostCommits) throw error;
      await pause(backoffMs(attempt + 3));
    }
  }
};

/** When its time is over a session refuses everything. So the work ends at its next call to MongoDB and can't continue outside of its transaction. */
const limitTime = (session: Session, ms: number): { isOver(): boolean; lift(): void } => {
  let over = false;
  const timer = setTimeout(() => {
    over = true;
    session.hasEnded = true;
  }, ms);
  return {
    isOver: () => over,
    lift() {
      clearTimeout(timer);
      session.hasEnded = false;
    },
  };
};

const once = async <Result>(session: Session, work: () => Promise<Result>, limitMs: number) => {
  session.startTransaction(transactionOptions);
  const limit = limitTime(session, limitMs);
  try {
    const result = await work();
    limit.lift();
    await commit(session);
    return result;
  } catch (error) {
    limit.lift();
    // The error that counts is the first one.
    if (session.inTransaction()) await session.abortTransaction().catch(() => {});
    throw limit.isOver() && isEnded(error) ? new TransactionTooLong(limitMs, error) : error;
  }
};

export const createTransact = (client: Client, usual: TransactLimits = {}): Transact => {
  const endAbandoned = createEndAbandoned(client);
  return async (work, { onConflict, ...own } = {}) => {
    const { patienceMs, limitMs } = { ...usualLimits, ...usual, ...own };
    const session = client.startSession();
    const until = performance.now() + patienceMs;
    try {
      for (let attempt = 0; ; attempt++) {
        try {
          return await once(session, () => work(session, attempt), limitMs);
        } catch (error) {
          if (!isConflict(error) || performance.now() > until) throw error;
          onConflict?.(error, attempt + 1);
          if (attempt + 1 >= manyConflicts) await endAbandoned();
          await pause(backoffMs(attempt));
        }
      }
    } finally {
      await session.endSession();
    }
  };
};

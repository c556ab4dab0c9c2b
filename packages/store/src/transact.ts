/** One transaction, tried again as a whole after a conflict with another one. Conflicts are retried here and nowhere else. */
import { isConflict, isEnded, TransactionTooLong } from './classify.ts';
import { backoffMs, commit, pause } from './commit.ts';
import type { Client, Session } from './db.ts';

interface TransactOptions {
  /** For a metric: the conflict, and the number of attempts so far. */
  onConflict?(error: unknown, attempt: number): void;
  /** How long conflicts are retried; then the error goes to the caller, who may wait longer. */
  patienceMs?: number;
  /** The time limit of each try. */
  limitMs?: number;
}

export type Transact = <Result>(
  work: (session: Session, attempt: number) => Promise<Result>,
  options?: TransactOptions,
) => Promise<Result>;

const transactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 10_000 },
} as const;

/** MongoDB ends a transaction after 10 s if it is configured well, and after a minute otherwise. No other transaction shall wait that long for one. */
const usualLimitMs = 7_000;

/** After its time a session refuses everything, so the work ends at its next call to MongoDB and can't go on without its transaction. */
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

const once = async <Result>(
  session: Session,
  work: () => Promise<Result>,
  limitMs: number,
): Promise<Result> => {
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

export const createTransact =
  (client: Client, onEachConflict?: () => void): Transact =>
  async (work, { onConflict, patienceMs = 5000, limitMs = usualLimitMs } = {}) => {
    const session = client.startSession();
    const until = performance.now() + patienceMs;
    try {
      for (let attempt = 0; ; attempt++) {
        try {
          return await once(session, () => work(session, attempt), limitMs);
        } catch (error) {
          if (!isConflict(error) || performance.now() > until) throw error;
          onEachConflict?.();
          onConflict?.(error, attempt + 1);
          await pause(backoffMs(attempt));
        }
      }
    } finally {
      await session.endSession();
    }
  };

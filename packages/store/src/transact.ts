/** One transaction, tried again as a whole when another one was in its way. Conflicts are retried here and nowhere else. */
import { isConflict } from './classify.ts';
import type { Client, Session } from './db.ts';

export interface TransactOptions {
  /** For a metric: who was in the way, and how often already. */
  onConflict?(error: unknown, attempt: number): void;
  /** How long conflicts are retried; then the error goes to the caller, who may wait longer. */
  patienceMs?: number;
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

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Two that collided must not meet again: full jitter, doubling up to a quarter of a second. */
const backoffMs = (attempt: number): number => Math.random() * Math.min(2 * 2 ** attempt, 250);

const isUnknown = (error: unknown): boolean =>
  (error as { hasErrorLabel?: (label: string) => boolean }).hasErrorLabel?.(
    'UnknownTransactionCommitResult',
  ) === true;

/** Committing twice is safe, so an unknown answer is asked for again. */
const commit = async (session: Session): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      if (!isUnknown(error) || attempt >= mostCommits) throw error;
      await pause(backoffMs(attempt + 3));
    }
  }
};

const once = async <Result>(session: Session, work: () => Promise<Result>): Promise<Result> => {
  session.startTransaction(transactionOptions);
  try {
    const result = await work();
    await commit(session);
    return result;
  } catch (error) {
    // The error that counts is the first one.
    if (session.inTransaction()) await session.abortTransaction().catch(() => {});
    throw error;
  }
};

export const createTransact =
  (client: Client): Transact =>
  async (work, { onConflict, patienceMs = 5000 } = {}) => {
    const session = client.startSession();
    const until = performance.now() + patienceMs;
    try {
      for (let attempt = 0; ; attempt++) {
        try {
          return await once(session, () => work(session, attempt));
        } catch (error) {
          if (!isConflict(error) || performance.now() > until) throw error;
          onConflict?.(error, attempt + 1);
          await pause(backoffMs(attempt));
        }
      }
    } finally {
      await session.endSession();
    }
  };

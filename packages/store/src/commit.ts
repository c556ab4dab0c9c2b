/** Commits a transaction: an unknown result is asked for again. */
import type { Session } from './db.ts';

const mostCommits = 5;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Two transactions that collided must not collide again: full jitter, doubling up to a quarter of a second. */
export const backoffMs = (attempt: number): number => Math.random() * Math.min(2 * 2 ** attempt, 250);

const isUnknown = (error: unknown): boolean =>
  (error as { hasErrorLabel?: (label: string) => boolean }).hasErrorLabel?.(
    'UnknownTransactionCommitResult',
  ) === true;

/** Committing twice is safe, so an unknown answer is asked for again. */
export const commit = async (session: Session): Promise<void> => {
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

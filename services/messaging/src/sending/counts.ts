/** How many recipients of a delivery come into a state or leave it, and of how many the message is kept instead of sent. */
import type { SendCounts } from '@roster/store';

export type CountChanges = Partial<SendCounts & { kept: number }>;

export const count = (changes: CountChanges, state: keyof CountChanges, n: number): void => {
  changes[state] = (changes[state] ?? 0) + n;
};

/** For `$inc`, without what stays the same. */
export const incrementsOf = (changes: CountChanges): Record<string, number> =>
  Object.fromEntries(
    Object.entries(changes)
      .filter(([, n]) => n !== 0)
      .map(([state, n]) => [state === 'kept' ? state : `counts.${state}`, n]),
  );

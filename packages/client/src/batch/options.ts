import type { BatchOptions } from './types.ts';

export type Limits = Required<Omit<BatchOptions, 'retryFor' | 'wait'>>;

const mostEntries = { 'users.track.bulk': 1000, 'users.track': 50 };

export const limitsOf = ({ operation = 'users.track.bulk', ...options }: BatchOptions): Limits => ({
  operation,
  maxEntries: mostEntries[operation],
  maxBytes: 1_000_000,
  maxDelay: 20,
  maxWaiting: 100_000,
  maxWaitingBytes: 32 * 1024 * 1024,
  ...options,
});

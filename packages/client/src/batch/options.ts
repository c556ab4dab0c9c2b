import { refuseOthers } from '../checked.ts';
import type { BatchOptions } from './types.ts';

type Own = Omit<BatchOptions, 'retryFor' | 'wait'>;

export type Limits = { [Name in keyof Own]-?: NonNullable<Own[Name]> };

const mostEntries = { 'users.track.bulk': 1000, 'users.track': 50 };

export const limitsOf = ({
  operation = 'users.track.bulk',
  maxEntries = mostEntries[operation],
  maxBytes = 1_000_000,
  maxDelay = 20,
  maxWaiting = 100_000,
  maxWaitingBytes = 32 * 1024 * 1024,
  retryFor: _retryFor,
  wait: _wait,
  ...others
}: BatchOptions): Limits => {
  refuseOthers(others);
  return { operation, maxEntries, maxBytes, maxDelay, maxWaiting, maxWaitingBytes };
};

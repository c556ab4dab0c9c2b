import { times } from '../call-options.ts';
import { type Rules, refuseOptions } from '../checked.ts';
import type { BatchOptions } from './types.ts';

type Own = Omit<BatchOptions, 'retryFor' | 'wait'>;

export type Limits = { [Name in keyof Own]-?: NonNullable<Own[Name]> };

const mostEntries = { 'users.track.bulk': 1000, 'users.track': 50 };

const rules: Rules<BatchOptions> = {
  operation: { words: Object.keys(mostEntries) },
  maxEntries: { from: 1 },
  maxBytes: { from: 1 },
  maxDelay: { from: 0 },
  maxWaiting: { from: 1 },
  maxWaitingBytes: { from: 1 },
  wait: times.wait,
  retryFor: times.retryFor,
};

export const limitsOf = (options: BatchOptions): Limits => {
  refuseOptions(options, rules);
  const {
    operation = 'users.track.bulk',
    maxEntries = mostEntries[operation],
    maxBytes = 1_000_000,
    maxDelay = 20,
    maxWaiting = 100_000,
    maxWaitingBytes = 32 * 1024 * 1024,
  } = options;
  return { operation, maxEntries, maxBytes, maxDelay, maxWaiting, maxWaitingBytes };
};

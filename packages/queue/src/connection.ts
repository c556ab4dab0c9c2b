import { Redis } from 'ioredis';

/** A command that has no answer by then counts as unknown; two in a row stay under the promise of 1.5 s. */
export const commandTimeoutMs = 700;

const reconnect = (attempt: number): number => Math.min(50 * 2 ** Math.min(attempt, 6), 1000);

/** For whoever must say "no" quickly: nothing waits for a Redis that is away, nothing is sent twice. */
export const openProducerConnection = (url: string): Redis =>
  new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: 1000,
    commandTimeout: commandTimeoutMs,
    retryStrategy: reconnect,
  });

/** For whoever has nothing better to do than to wait for Redis: workers and mailboxes. */
export const openPatientConnection = (url: string): Redis =>
  new Redis(url, { maxRetriesPerRequest: null, connectTimeout: 1000, retryStrategy: reconnect });

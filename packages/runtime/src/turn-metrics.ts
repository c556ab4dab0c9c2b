/** The metrics and log lines of services that apply batches. */
import type { Context } from './run.ts';

/** Seconds, from five milliseconds to half an hour. */
const waitSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];
const sizes = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];

interface Accepted {
  op: string;
  /** Stamp: microseconds. */
  at: number;
  /** Of a repetition. */
  again?: number;
}

const microsecondsNow = (): number => Date.now() * 1000;

/** The same for every queue: the wait of requests, the size of batches, dead letters. */
const measureQueue = ({ metrics }: Pick<Context<unknown>, 'metrics'>) => {
  const waits = metrics.histogram({
    name: 'roster_queue_wait_seconds',
    help: 'Time from the acceptance of a request to its first turn, by lane.',
    labels: ['lane'],
    buckets: waitSeconds,
  });
  const size = (of: string) =>
    metrics.histogram({ name: `roster_batch_${of}`, help: `The ${of} of one batch.`, buckets: sizes }).with();
  const [requestsOf, entriesOf] = [size('requests'), size('entries')];
  const failures = metrics.counter({
    name: 'roster_requests_failed_total',
    help: 'Accepted requests that failed for good, by operation: dead letters, and reads without an answer.',
    labels: ['op'],
  });
  return {
    /** These requests have their first turn now. The clocks of Redis and of this process may differ a little. */
    began(requests: readonly Accepted[], heavy: boolean): void {
      const wait = waits.with(heavy ? 'heavy' : 'normal');
      const now = microsecondsNow();
      for (const { at, again = at } of requests) wait.observe(Math.max(0, now - again) / 1e6);
    },
    size(requests: number, entries: number): void {
      requestsOf.observe(requests);
      entriesOf.observe(entries);
    },
    failed: ({ op }: Accepted): void => failures.with(op).inc(),
  };
};

/** Of all transactions of the process. */
export const measureConflicts = ({ metrics }: Pick<Context<unknown>, 'metrics'>, service: string) => {
  const conflicts = metrics.counter({
    name: `roster_${service}_conflicts_total`,
    help: 'Transactions that another one was in the way of.',
  });
  return (): void => conflicts.with().inc();
};

export const measureTurns = (
  { metrics, log }: Pick<Context<unknown>, 'metrics' | 'log'>,
  service: string,
) => {
  const turns = metrics.histogram({
    name: `roster_${service}_turn_seconds`,
    help: 'Time to apply one batch of jobs.',
  });
  const counter = (what: string, help: string) =>
    metrics.counter({ name: `roster_${service}_${what}_total`, help });
  const retries = counter('retries', 'Batches that failed and are tried again or cut in halves.');
  const waits = counter('waits', 'Times that a request had to wait for what was accepted before it.');
  const { size, ...queue } = measureQueue({ metrics });
  return {
    ...queue,
    turn(jobs: number, requests: number, entries: number, ms: number): void {
      turns.with().observe(ms / 1000);
      size(requests, entries);
      log.debug({ jobs, requests, entries, ms }, 'turn');
    },
    retry(err: unknown, requests: number): void {
      retries.with().inc();
      log.warn({ err, requests }, 'a batch is tried again');
    },
    postponed: (requests: number): void => waits.with().inc(requests),
    error: (err: unknown): void => log.error({ err }, 'the queue could not be served'),
  };
};

/** The same of services that answer each request by itself; `what` names the requests. */
export const measureAnswers = (
  { metrics, log }: Pick<Context<unknown>, 'metrics' | 'log'>,
  service: string,
  what: string,
) => {
  const turns = metrics.histogram({
    name: `roster_${service}_turn_seconds`,
    help: `Time to answer one batch of ${what}.`,
  });
  const { size, ...queue } = measureQueue({ metrics });
  return {
    ...queue,
    turn(_jobs: number, requests: number, entries: number, ms: number): void {
      turns.with().observe(ms / 1000);
      size(requests, entries);
    },
    retry: (err: unknown, requests: number): void =>
      log.warn({ err, requests }, `a batch of ${what} is tried again`),
    error: (err: unknown): void => log.error({ err }, 'the queue could not be served'),
  };
};

/** The bytes of profiles that were read for requests. Workspaces are no labels: there may be very many. */
export const measureLoaded = ({ metrics }: Pick<Context<unknown>, 'metrics'>, service: string) => {
  const loaded = metrics.counter({
    name: `roster_${service}_loaded_bytes_total`,
    help: 'Bytes of profiles that were read; what was skipped counts an eighth.',
  });
  return (_ws: string, bytes: number): void => loaded.with().inc(bytes);
};

/** For services that wait for requests accepted before. */
export const measureFence = ({ metrics }: Pick<Context<unknown>, 'metrics'>, service: string) => {
  const waits = metrics.histogram({
    name: `roster_${service}_fence_seconds`,
    help: 'Time that a batch waited for what was accepted before it.',
  });
  return (ms: number): void => waits.with().observe(ms / 1000);
};

/** How often entries came to what; `entries` are told as `result` or `result:reason`. */
export const countResults = (
  { metrics }: Pick<Context<unknown>, 'metrics'>,
  { name, help }: { name: string; help: string },
) => {
  const results = metrics.counter({ name, help, labels: ['operation', 'result', 'reason'] });
  return ({ op }: { op: string }, entries: Readonly<Record<string, readonly string[]>>): void => {
    for (const outcome of Object.values(entries).flat()) {
      const [result = '', reason = ''] = outcome.split(':', 2);
      results.with(op, result, reason).inc();
    }
  };
};

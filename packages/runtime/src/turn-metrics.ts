/** What every service that applies batches measures and logs of them. */
import type { Context } from './run.ts';

type Measured = Pick<Context<unknown>, 'metrics'>;
type Logged = Pick<Context<unknown>, 'metrics' | 'log'>;

const timing = ({ metrics }: Measured, name: string, help: string) => {
  const histogram = metrics.histogram({ name, help });
  return (ms: number): void => histogram.with().observe(ms / 1000);
};

const aMinute = 60_000;

/** Said once a minute, however many there are. */
const tellParked = ({ log }: Pick<Logged, 'log'>) => {
  let until = 0;
  return (): void => {
    if (performance.now() < until) return;
    until = performance.now() + aMinute;
    log.warn('requests wait for a process of a newer version: see docs/upgrading.md');
  };
};

export const measureTurns = ({ metrics, log }: Logged, service: string) => {
  const took = timing({ metrics }, `roster_${service}_turn_seconds`, 'Time to apply one batch of jobs.');
  const counter = (what: string, help: string) =>
    metrics.counter({ name: `roster_${service}_${what}_total`, help });
  const conflicts = counter('conflicts', 'Transactions that another one was in the way of.');
  const retries = counter('retries', 'Batches that failed and are tried again or cut in halves.');
  const waits = counter('waits', 'Times that a request had to wait for what was accepted before it.');
  return {
    conflict: (): void => conflicts.with().inc(),
    turn(jobs: number, requests: number, entries: number, ms: number): void {
      took(ms);
      log.debug({ jobs, requests, entries, ms }, 'turn');
    },
    retry(err: unknown, requests: number): void {
      retries.with().inc();
      log.warn({ err, requests }, 'a batch failed and is retried');
    },
    postponed: (requests: number): void => waits.with().inc(requests),
    parked: tellParked({ log }),
    error: (err: unknown): void => log.error({ err }, 'reading the queue failed'),
  };
};

/** The same of services that answer each request by itself; `what` names the requests. */
export const measureAnswers = ({ metrics, log }: Logged, service: string, what: string) => {
  const took = timing({ metrics }, `roster_${service}_turn_seconds`, `Time to answer one batch of ${what}.`);
  return {
    turn: (_jobs: number, _requests: number, _entries: number, ms: number): void => took(ms),
    retry: (err: unknown, requests: number): void =>
      log.warn({ err, requests }, `a batch of ${what} failed and is retried`),
    parked: tellParked({ log }),
    error: (err: unknown): void => log.error({ err }, 'reading the queue failed'),
  };
};

/** What profiles were read for requests. Workspaces are no labels: there may be very many. */
export const measureLoaded = ({ metrics }: Measured, service: string) => {
  const loaded = metrics.counter({
    name: `roster_${service}_loaded_bytes_total`,
    help: 'Bytes of profiles that were read; what was skipped counts an eighth.',
  });
  return (_ws: string, bytes: number): void => loaded.with().inc(bytes);
};

/** For those that wait for what was accepted before. */
export const measureFence = (context: Measured, service: string) =>
  timing(
    context,
    `roster_${service}_fence_seconds`,
    'Time that a batch waited for what was accepted before it.',
  );

/** How often entries came to what; `entries` are told as `result` or `result:reason`. */
export const countResults = ({ metrics }: Measured, { name, help }: { name: string; help: string }) => {
  const results = metrics.counter({ name, help, labels: ['operation', 'result', 'reason'] });
  return ({ op }: { op: string }, entries: Readonly<Record<string, readonly string[]>>): void => {
    for (const outcome of Object.values(entries).flat()) {
      const [result = '', reason = ''] = outcome.split(':', 2);
      results.with(op, result, reason).inc();
    }
  };
};

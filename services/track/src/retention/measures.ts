/** The metrics of retention. */
import type { Context } from '@roster/runtime';
import { type Kind, kinds } from '@roster/store';
import type { RetentionResult } from './run-retention.ts';

export const measures = ({ metrics }: Context<unknown>) => {
  const rows = metrics.counter({
    name: 'roster_retention_rows_total',
    help: 'Events and purchases that were rolled up into totals and removed.',
    labels: ['collection'],
  });
  const runs = metrics.counter({
    name: 'roster_retention_runs_total',
    help: 'Runs of retention by how they ended; one that failed is tried again.',
    labels: ['result'],
    known: ['done', 'failed'],
  });
  const oldest = metrics.gauge({
    name: 'roster_retention_oldest_row_seconds',
    help: 'Age of the oldest event or purchase that the last run of this process left; not there before one.',
    labels: ['collection'],
  });
  return {
    rolledUp: (kind: Kind, count: number) => rows.with(kind).inc(count),
    ended(now: number, result: RetentionResult) {
      runs.with('done').inc();
      for (const kind of kinds) {
        const time = result.oldest[kind];
        oldest.with(kind).set(time ? Math.max(0, (now - time.getTime()) / 1000) : 0);
      }
    },
    failed: () => runs.with('failed').inc(),
  };
};

/** Merges old generations of events and purchases into larger ones, as a job of the scheduler: one for all track processes, in steps that leave half of the time, less when much waits. */
import { createSchedule, type Occasion, scheduleOf } from '@roster/queue';
import type { Context } from '@roster/runtime';
import { isWritten, kinds, type Store } from '@roster/store';

const everyMs = 10 * 60 * 1000;

const measures = ({ metrics }: Context<unknown>) => {
  const moved = metrics.counter({
    name: 'roster_merging_rows_total',
    help: 'Events and purchases that moved into a larger generation.',
    labels: ['collection'],
  });
  const runs = metrics.counter({
    name: 'roster_merging_runs_total',
    help: 'Runs that merge generations by how they ended; what is left of a failed one is done by the next.',
    labels: ['result'],
  });
  const generations = metrics.gauge({
    name: 'roster_generations',
    help: 'Generations with rows that the last run of this process left: a reader looks into each; not there before one.',
    labels: ['collection'],
  });
  return { moved, runs, generations };
};

export const scheduleMerging = async (context: Context<{ REDIS_URL: string }>, store: Store) => {
  const { config, log } = context;
  const { moved, runs, generations } = measures(context);

  const run = async ({ signal }: Occasion) => {
    const began = performance.now();
    const rows = await store.merging.run({
      signal,
      onMoved: (of, count) => moved.with(of).inc(count),
    });
    for (const of of kinds) {
      const all = await store[of].generations.all();
      generations.with(of).set(all.filter(isWritten).length);
    }
    runs.with('done').inc();
    if (rows.events + rows.purchases > 0)
      log.info({ ...rows, ms: Math.round(performance.now() - began) }, 'generations were merged');
  };

  return createSchedule({
    url: config.REDIS_URL,
    queue: scheduleOf('generations'),
    everyMs,
    run,
    onError(err) {
      runs.with('failed').inc();
      log.error({ err }, 'merging generations failed; the next run continues');
    },
  });
};

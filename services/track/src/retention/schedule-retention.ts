/**
 * Retention as a job of the scheduler, once a day for all track processes. It belongs here because this service writes occurrences
 * and is always there; any free process runs it, in steps that leave it half of the time.
 */
import { isJsonObject } from '@roster/contract';
import { createSchedule, type Occasion, scheduleOf } from '@roster/queue';
import type { Context } from '@roster/runtime';
import { kinds, type OccurrenceKind, type Store } from '@roster/store';
import { createRetention, type RetentionPlace, type RetentionResult } from './run-retention.ts';

const everyMs = 24 * 60 * 60 * 1000;

/** With pauses that double from ten seconds: a MongoDB that is away for hours does not cost a day. */
const attempts = 12;

const placeIn = (noted: unknown): RetentionPlace | undefined => {
  if (!isJsonObject(noted)) return undefined;
  const { generation, after } = noted;
  const kind = kinds.find((one) => one === noted.kind);
  const isPlace = kind !== undefined && typeof generation === 'string' && typeof after === 'string';
  return isPlace ? { kind, generation, after } : undefined;
};

const workspaceIn = (asked: unknown): string | undefined =>
  isJsonObject(asked) && typeof asked.workspace === 'string' ? asked.workspace : undefined;

const measures = ({ metrics }: Context<unknown>) => {
  const rows = metrics.counter({
    name: 'roster_retention_rows_total',
    help: 'Events and purchases that were rolled up into totals and removed.',
    labels: ['collection'],
  });
  const runs = metrics.counter({
    name: 'roster_retention_runs_total',
    help: 'Runs of retention by how they ended; one that failed is tried again.',
    labels: ['result'],
  });
  const oldest = metrics.gauge({
    name: 'roster_retention_oldest_row_seconds',
    help: 'Age of the oldest event or purchase that the last run of this process left; not there before one.',
    labels: ['collection'],
  });
  return {
    rolledUp: (kind: OccurrenceKind, count: number) => rows.with(kind).inc(count),
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

export const scheduleRetention = async (context: Context<{ REDIS_URL: string }>, store: Store) => {
  const { config, log } = context;
  const { rolledUp, ended, failed } = measures(context);
  const retention = createRetention({ store, onRolledUp: rolledUp });

  const run = async ({ due, asked, noted, note, signal }: Occasion): Promise<RetentionResult> => {
    const [ws, from] = [workspaceIn(asked), placeIn(noted)];
    const began = performance.now();
    const result = await retention({ now: due, ws, from, signal, onPlace: note });
    ended(due, result);
    const { events, purchases, oldest } = result;
    const ms = Math.round(performance.now() - began);
    log.info(
      { ...(ws !== undefined && { ws }), due: new Date(due), events, purchases, oldest, ms },
      'retention',
    );
    return result;
  };

  return createSchedule({
    url: config.REDIS_URL,
    queue: scheduleOf('retention'),
    everyMs,
    attempts,
    run,
    onError(err) {
      failed();
      log.error({ err }, 'retention failed and is retried');
    },
  });
};

/**
 * Retention as a job of the scheduler, once a day for all track processes. It belongs here because this service writes occurrences
 * and is always there; any free process runs it, in steps that leave it half of the time.
 */
import { createSchedule, type Occasion, type Schedule, scheduleOf } from '@roster/queue';
import type { Context } from '@roster/runtime';
import type { Store } from '@roster/store';
import { measures } from './measures.ts';
import { placeIn, workspaceIn } from './place-in.ts';
import { createRetention, type RetentionResult } from './run-retention.ts';

const everyMs = 24 * 60 * 60 * 1000;

/** With pauses that double from ten seconds: a MongoDB that is away for hours does not cost a day. */
const attempts = 12;

export const scheduleRetention = async (
  context: Context<{ REDIS_URL: string }>,
  store: Store,
): Promise<Schedule> => {
  const { config, log } = context;
  const { rolledUp, ended, failed } = measures(context);
  const retention = createRetention({ store, onRolledUp: rolledUp });
  const stop = new AbortController();

  const run = async ({ due, asked, noted, note }: Occasion): Promise<RetentionResult> => {
    const [ws, from] = [workspaceIn(asked), placeIn(noted)];
    const began = performance.now();
    const result = await retention({ now: due, ws, from, signal: stop.signal, onPlace: note });
    ended(due, result);
    const { events, purchases, oldest } = result;
    const ms = Math.round(performance.now() - began);
    log.info(
      { ...(ws !== undefined && { ws }), due: new Date(due), events, purchases, oldest, ms },
      'retention',
    );
    return result;
  };

  const schedule = await createSchedule({
    url: config.REDIS_URL,
    queue: scheduleOf('retention'),
    everyMs,
    attempts,
    run,
    onError(err) {
      if (stop.signal.aborted) return;
      failed();
      log.error({ err }, 'retention failed and is tried again');
    },
  });
  return {
    async close() {
      stop.abort();
      await schedule.close();
    },
  };
};

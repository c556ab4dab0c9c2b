/** Tasks that each have times of their own and run in one of all processes: a scheduler of BullMQ for each. */
import type { QueueName } from '../names.ts';
import { openTaking } from './open.ts';

interface TimetableOptions {
  url: string;
  queue: QueueName;
  /** Called once for each time of a task. After a crash it is called again, with the same `origin`. */
  run(thing: string, origin: string): Promise<unknown>;
  onError?(error: unknown): void;
}

/** Finished jobs leave little behind. */
const jobOptions = {
  attempts: 3,
  backoff: { type: 'exponential', delay: 5_000 },
  removeOnComplete: { age: 3600, count: 100 },
  removeOnFail: { age: 86_400, count: 100 },
};

const atOnce = 1_000;

export const createTimetable = ({ url, queue, run, onError = () => {} }: TimetableOptions) => {
  const { jobs, close } = openTaking({
    url,
    queue,
    take: ({ name, id = '' }) => run(name, id),
    onError,
    concurrency: 4,
  });

  const held = async (): Promise<Map<string, string | undefined>> => {
    const found = new Map<string, string | undefined>();
    for (let from = 0; ; from += atOnce) {
      const page = await jobs.getJobSchedulers(from, from + atOnce - 1);
      for (const { key, pattern } of page) found.set(key, pattern);
      if (page.length < atOnce) return found;
    }
  };

  return {
    /** The patterns of cron in UTC, by id. Missing schedulers are made, others are removed. */
    async hold(wanted: ReadonlyMap<string, string>): Promise<void> {
      const found = await held();
      for (const [id, pattern] of wanted)
        if (found.get(id) !== pattern)
          await jobs.upsertJobScheduler(id, { pattern, tz: 'UTC' }, { name: id, opts: jobOptions });
      for (const id of found.keys()) if (!wanted.has(id)) await jobs.removeJobScheduler(id);
    },
    close,
  };
};

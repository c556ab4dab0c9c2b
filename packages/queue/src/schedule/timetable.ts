/** Tasks that each have times of their own and run in one of all processes: a scheduler of BullMQ for each. */
import { type Job, Queue, Worker } from 'bullmq';
import { openConnection } from '../connection.ts';
import type { QueueName } from '../names.ts';

interface TimetableOptions {
  url: string;
  queue: QueueName;
  /** Called once for each time of a task. After a crash it is called again, with the same `origin`. */
  run(thing: string, origin: string): Promise<unknown>;
  onError?(error: unknown): void;
}

interface Timetable {
  /** The patterns of cron in UTC, by id. Missing schedulers are made, others are removed. */
  hold(wanted: ReadonlyMap<string, string>): Promise<void>;
  close(): Promise<void>;
}

/** Finished jobs leave little behind. */
const jobOptions = {
  attempts: 3,
  backoff: { type: 'exponential', delay: 5_000 },
  removeOnComplete: { age: 3600, count: 100 },
  removeOnFail: { age: 86_400, count: 100 },
};

const atOnce = 1_000;

export const createTimetable = ({ url, queue, run, onError = () => {} }: TimetableOptions): Timetable => {
  const { name, prefix } = queue;
  const [asking, working] = [openConnection('patient', url), openConnection('schedule', url)];
  const jobs = new Queue(name, { connection: asking, prefix, streams: { events: { maxLen: 10 } } });
  jobs.on('error', () => {});
  const worker = new Worker(name, ({ name: thing, id = '' }: Job) => run(thing, id), {
    connection: working,
    prefix,
    concurrency: 4,
    lockDuration: 30_000,
    stalledInterval: 15_000,
  });
  worker.on('failed', (_job, error) => onError(error));
  worker.on('error', () => {});

  const held = async (): Promise<Map<string, string | undefined>> => {
    const found = new Map<string, string | undefined>();
    for (let from = 0; ; from += atOnce) {
      const page = await jobs.getJobSchedulers(from, from + atOnce - 1);
      for (const { key, pattern } of page) found.set(key, pattern);
      if (page.length < atOnce) return found;
    }
  };

  return {
    async hold(wanted) {
      const found = await held();
      for (const [id, pattern] of wanted)
        if (found.get(id) !== pattern)
          await jobs.upsertJobScheduler(id, { pattern, tz: 'UTC' }, { name: id, opts: jobOptions });
      for (const id of found.keys()) if (!wanted.has(id)) await jobs.removeJobScheduler(id);
    },
    async close() {
      await worker.close();
      await jobs.close();
      asking.disconnect();
      working.disconnect();
    },
  };
};

/** A task that runs from time to time, in one of all processes: by BullMQ's scheduler. If its process dies, another one runs it. */
import type { Job } from 'bullmq';
import type { Redis } from 'ioredis';
import type { QueueName } from '../names.ts';
import { openQueue } from '../produce/group-queue.ts';
import { openTaking } from './open.ts';

/** One run of a task. */
export interface Occasion {
  /** When the run was due, in milliseconds: by the schedule, or when an operator asked for it. The same at each attempt. */
  due: number;
  /** The payload of the operator's request, if the occasion was asked for. */
  asked: unknown;
  /** The note of an earlier attempt at this occasion. */
  noted: unknown;
  note(place: object): Promise<void>;
  /** Aborted when the process stops: the run should end early. */
  signal: AbortSignal;
}

export interface ScheduleOptions {
  url: string;
  queue: QueueName;
  everyMs: number;
  run(occasion: Occasion): Promise<unknown>;
  /** How often one run is attempted, with growing pauses; once by default. */
  attempts?: number;
  /** A run failed, and not because the process stops. */
  onError?(error: unknown): void;
}

const firstPauseMs = 10_000;

const jobOptions = (attempts: number) => ({
  attempts,
  backoff: { type: 'exponential', delay: firstPauseMs },
  removeOnComplete: { age: 3600, count: 10 },
  removeOnFail: { count: 10 },
});

/** The scheduler puts the due time into the id of a job; the job's own time is when it was queued. */
const dueOf = ({ id = '', timestamp }: Job): number =>
  id.startsWith('repeat:') ? Number(id.slice(id.lastIndexOf(':') + 1)) : timestamp;

const occasionOf = (job: Job, signal: AbortSignal): Occasion => ({
  due: dueOf(job),
  asked: job.data,
  noted: job.progress,
  note: (place) => job.updateProgress(place),
  signal,
});

export const createSchedule = async (options: ScheduleOptions) => {
  const { url, queue, everyMs, run, attempts = 1, onError = () => {} } = options;
  const stop = new AbortController();
  const { jobs, close } = openTaking({
    url,
    queue,
    take: (job) => run(occasionOf(job, stop.signal)),
    onError(error) {
      if (!stop.signal.aborted) onError(error);
    },
  });
  // Not waited for: a Redis that is away must not keep a process from starting.
  jobs.upsertJobScheduler(queue.name, { every: everyMs }, { opts: jobOptions(attempts) }).catch(onError);
  return {
    /** Aborts a run that is under way, and waits for it. */
    close(): Promise<void> {
      stop.abort();
      return close();
    },
  };
};

export type Schedule = Awaited<ReturnType<typeof createSchedule>>;

/** The state of a run that an operator asked for. */
export interface AskedRun {
  state: 'waiting' | 'running' | 'done' | 'failed';
  /** The result of `run`, or why it failed. */
  result?: unknown;
}

const stateOf = (state: string): AskedRun['state'] => {
  // The last ones are remembered for an hour.
  if (state === 'completed' || state === 'unknown') return 'done';
  if (state === 'failed') return 'failed';
  return state === 'active' ? 'running' : 'waiting';
};

/** Runs the task now, besides the schedule, in any process that serves it. */
export const askNow = async (redis: Redis, queue: QueueName, data: object) => {
  const jobs = openQueue(queue, redis);
  const { id = '' } = await jobs.add('now', data, jobOptions(1));
  return {
    id,
    async look(): Promise<AskedRun> {
      const state = stateOf(await jobs.getJobState(id));
      // Read afterwards, so that the result is there before the state says so.
      const job = await jobs.getJob(id);
      const result = state === 'failed' ? job?.failedReason : job?.returnvalue;
      return { state, ...(result != null && { result }) };
    },
    close: (): Promise<void> => jobs.close(),
  };
};

export type AskingRun = Awaited<ReturnType<typeof askNow>>;

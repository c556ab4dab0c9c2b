/** Asks for a run of a schedule now. */
import type { Redis } from 'ioredis';
import type { QueueName } from './names.ts';
import { jobOptions, open } from './schedule.ts';

/** The state of an occasion that an operator asked for. */
export interface Asked {
  state: 'waiting' | 'running' | 'done' | 'failed';
  /** The result of `run`, or why it failed. */
  result?: unknown;
}

export interface Asking {
  id: string;
  look(): Promise<Asked>;
  close(): Promise<void>;
}

const stateOf = (state: string): Asked['state'] => {
  // The last ones are remembered for an hour.
  if (state === 'completed' || state === 'unknown') return 'done';
  if (state === 'failed') return 'failed';
  return state === 'active' ? 'running' : 'waiting';
};

/** Has it done now, besides the schedule, by whichever process serves it. */
export const askNow = async (redis: Redis, queue: QueueName, data: object): Promise<Asking> => {
  const jobs = open(queue, redis);
  const { id = '' } = await jobs.add('now', data, jobOptions(1));
  return {
    id,
    async look() {
      const state = stateOf(await jobs.getJobState(id));
      // Read afterwards: the result is stored before the state changes.
      const job = await jobs.getJob(id);
      const result = state === 'failed' ? job?.failedReason : job?.returnvalue;
      return { state, ...(result != null && { result }) };
    },
    close: () => jobs.close(),
  };
};

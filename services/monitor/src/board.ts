/** Bull Board over all queues, for looking only. */
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { Job, Queue } from 'bullmq';
import type { Express } from 'express';
import { maskData, maskJob, maskName } from './mask.ts';

export const boardPath = '/board';

/** bull-board reads jobs by `toJSON`; the formatters alone would let reasons and stack traces through. */
const masked = <AnyJob extends Job | undefined>(job: AnyJob): AnyJob => {
  if (!job) return job;
  const whole = job.toJSON();
  job.toJSON = () => maskJob(whole) as typeof whole;
  return job;
};

const lookingAt = (queue: Queue): BullMQAdapter => {
  const adapter = new BullMQAdapter(queue, { readOnlyMode: true, allowRetries: false });
  const { getJob, getJobs } = adapter;
  adapter.getJob = async (id) => masked(await getJob.call(adapter, id));
  adapter.getJobs = async (...asked) => (await getJobs.call(adapter, ...asked)).map(masked);
  adapter.getJobLogs = async () => [];
  adapter.setFormatter('data', maskData);
  adapter.setFormatter('returnValue', () => null);
  adapter.setFormatter('name', (job) => maskName(job?.name));
  adapter.setFormatter('progress', () => 0);
  return adapter;
};

const uiConfig = {
  boardTitle: 'Roster queues',
  hideDocsLink: true,
  miscLinks: [{ text: 'Sign out', url: '/sign-out' }],
  // Each poll would otherwise ask Redis for all its clients.
  showWorkers: false,
  pollingInterval: { showSetting: true, forceInterval: 0 },
};

export const createBoard = (queues: readonly Queue[]) => {
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(boardPath);
  createBullBoard({ queues: queues.map(lookingAt), serverAdapter, options: { uiConfig } });
  // An application of its own inside ours.
  const board: Express = serverAdapter.getRouter();
  return board.disable('x-powered-by').disable('etag');
};

/** Jobs as the board shows them. */
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { Job, Queue } from 'bullmq';
import { isHidden, maskJob, maskName } from './mask.ts';
import type { Viewer } from './viewer.ts';

/** bull-board hands no request to its adapters, so the viewer goes along with the call. */
export type Look = { viewer: Viewer };
export const seesNothing: Viewer = { isOperator: false, sees: () => false };

/** bull-board reads jobs by `toJSON`; the formatters alone would let reasons and stack traces through. */
const masked = <AnyJob extends Job>(job: AnyJob, viewer: Viewer): AnyJob => {
  const whole = job.toJSON();
  job.toJSON = () => maskJob(whole, viewer) as typeof whole;
  return job;
};

export const lookingAt = (queue: Queue, viewer: () => Viewer): BullMQAdapter => {
  const adapter = new BullMQAdapter(queue, { readOnlyMode: true, allowRetries: false });
  const { getJob, getJobs } = adapter;
  const isTheirs = (job: Job | undefined): job is Job => job !== undefined && !isHidden(job.data, viewer());
  adapter.getJob = async (id) => {
    const job = await getJob.call(adapter, id);
    return isTheirs(job) ? masked(job, viewer()) : undefined;
  };
  adapter.getJobs = async (...asked) =>
    (await getJobs.call(adapter, ...asked)).filter(isTheirs).map((job) => masked(job, viewer()));
  adapter.getJobLogs = async () => [];
  adapter.setFormatter('returnValue', () => null);
  adapter.setFormatter('name', (job) => maskName(job?.name));
  adapter.setFormatter('progress', () => 0);
  return adapter;
};

/** One run of a schedule. */
import type { Job } from 'bullmq';

/** One time that it has to be done. */
export interface Occasion {
  /** When it was due, in milliseconds: by the schedule, or when an operator asked for it. The same at each attempt. */
  due: number;
  /** The payload of the operator's request, if the occasion was asked for. */
  asked: unknown;
  /** The note of an earlier attempt at this occasion. */
  noted: unknown;
  note(place: object): Promise<void>;
}

/** The scheduler names its jobs by when they are due; their own time stamp is when they were put into the queue. */
const dueOf = ({ id = '', timestamp }: Job): number =>
  id.startsWith('repeat:') ? Number(id.slice(id.lastIndexOf(':') + 1)) : timestamp;

export const occasionOf = (job: Job): Occasion => ({
  due: dueOf(job),
  asked: job.data,
  noted: job.progress,
  note: (place) => job.updateProgress(place),
});

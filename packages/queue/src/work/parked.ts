/**
 * Jobs and requests of a version that this process does not know. They wait among BullMQ's delayed jobs, behind the line, until a process of their
 * version takes them: docs/adr/upgrades.md. What is known is not held up.
 */
import { DelayedError, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { type Group, isOfThisVersion, type Packed } from '../group.ts';
import { type QueueName, queueKey } from '../names.ts';
import { groupOf, type InHand, inHand } from '../order/postponed.ts';
import { type Queues, readEach } from '../partitions.ts';
import { stampInId } from '../request-id.ts';

/** A request that no process has known for so long becomes a dead letter: its worker says why. */
const patienceMs = 24 * 3600 * 1000;

/** Whether this version can apply a request: level.ts of packages/contract. */
export type IsKnown = (op: string, needs?: number) => boolean;

/** Jobs without a priority come first. */
const behindTheLine = { priority: 1 };

/** Short at first: while versions are exchanged, the next process that takes it may know it. */
const pauseMs = (tries: number): number => Math.min(250 * 2 ** tries, 60_000);

/** How a job of its own is added. */
export const parkedAtFirst = { ...behindTheLine, delay: pauseMs(0) };

export const park = async (job: Job, token: string | undefined): Promise<never> => {
  await job.changePriority(behindTheLine);
  await job.moveToDelayed(Date.now() + pauseMs(job.attemptsStarted), token);
  throw new DelayedError();
};

export const createParting = (isKnown: IsKnown) => {
  const isForeignRequest = ([id, , op, , rest]: Packed): boolean =>
    !isKnown(op, rest?.needs) && Date.now() - stampInId(id) / 1000 < patienceMs;

  return {
    /** Of another version nothing is known, not even what is in the job. */
    isForeign: (group: Group): boolean => !isOfThisVersion(group) || group.requests.every(isForeignRequest),

    /** A leased job without its requests of another version, and these. */
    divided(leased: { queue: QueueName; group: Group }): { group: Group; foreign: readonly InHand[] } {
      if (!leased.group.requests.some(isForeignRequest)) return { ...leased, foreign: [] };
      const [known, foreign]: [InHand[], InHand[]] = [[], []];
      for (const one of inHand(leased)) (isForeignRequest(one.packed) ? foreign : known).push(one);
      return { group: groupOf(known), foreign };
    },
  };
};

export interface ParkedIn {
  queue: string;
  jobs: number;
}

/** The queues with jobs that are parked. */
export const readParked = async (redis: Redis, queues: Queues): Promise<ParkedIn[]> => {
  const countIn = async (queue: QueueName): Promise<ParkedIn> => {
    const lists = ['delayed', 'prioritized'].map((list) => redis.zcard(queueKey(queue, list)));
    const [delayed = 0, prioritized = 0] = await Promise.all(lists);
    return { queue: queue.name, jobs: delayed + prioritized };
  };
  return (await readEach(queues, countIn)).filter(({ jobs }) => jobs > 0);
};

export const parkedSentence = ({ queue, jobs }: ParkedIn): string =>
  `${queue} has ${jobs} ${jobs === 1 ? 'job' : 'jobs'} for a newer version of its worker`;

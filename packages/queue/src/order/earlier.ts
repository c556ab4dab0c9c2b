/** Reads the unfinished requests that were accepted before others, to see which people they name. */
import type { AcceptedRequest } from '@roster/contract';
import type { Redis } from 'ioredis';
import { type Group, isOfThisVersion, mayHold, stampOfGroupId, unpack } from '../group.ts';
import { type QueueName, queueKey } from '../names.ts';
import { type Queues, readEach } from '../partitions.ts';
import { newestByWorkspace, readLong, type Unfinished } from './fence.ts';

interface Earlier {
  requests: AcceptedRequest[];
  /** Requests with higher stamps were not all read. */
  upTo: number;
}

/** The requests of the workspaces asked about, without those of the batch. */
export type ReadEarlier = (
  asking: readonly Pick<AcceptedRequest, 'ws' | 'at'>[],
  batch: ReadonlySet<string>,
) => Promise<Earlier>;

/** The number of oldest jobs that are read: requests accepted after more than these wait until some of them are finished. */
const mostJobs = 64;
const mostBytes = 4_000_000;

interface EarlierJob {
  key: string;
  stamp: number;
}

interface Sought {
  at: number;
  mayHold(id: string): boolean;
}

const stampOf = (id: string): number => stampOfGroupId(id) ?? 0;

/** The jobs of a queue that may hold an earlier request. */
const jobsIn = (queue: QueueName, { active, front }: Unfinished, sought: readonly Sought[]): EarlierJob[] =>
  [...active, ...front]
    .filter((id) => sought.some((one) => stampOf(id) < one.at && one.mayHold(id)))
    .map((id) => ({ key: queueKey(queue, id), stamp: stampOf(id) }));

/** In a longer line, more jobs may follow the first one. */
const seenUpTo = ({ front: [last], goesOn }: Unfinished): number =>
  goesOn && last !== undefined ? stampOf(last) : Number.POSITIVE_INFINITY;

/** The number of them that can be read, oldest first. */
const countThatFits = (sizes: readonly number[]): number => {
  let room = mostBytes;
  const full = sizes.findIndex((size) => {
    room -= size;
    return room < 0;
  });
  return full < 0 ? sizes.length : full;
};

/** The oldest jobs that fit, and the stamp of the first one that does not. */
const read = async (redis: Redis, jobs: readonly EarlierJob[]) => {
  const oldest = jobs.slice(0, mostJobs);
  const count = countThatFits(await Promise.all(oldest.map(({ key }) => redis.hstrlen(key, 'data'))));
  const texts = await Promise.all(oldest.slice(0, count).map(({ key }) => redis.hget(key, 'data')));
  // A missing job was finished meanwhile.
  const groups = texts.map((text) => (text === null ? undefined : (JSON.parse(text) as Group)));
  // Whom a job of another version names is not known.
  const foreign = groups.findIndex((group) => group && !isOfThisVersion(group));
  const end = foreign < 0 ? count : foreign;
  return {
    groups: groups.slice(0, end).flatMap((group) => group ?? []),
    upTo: jobs[end]?.stamp ?? Number.POSITIVE_INFINITY,
  };
};

export const createReadEarlier =
  (redis: Redis, queues: Queues): ReadEarlier =>
  async (asking, batch) => {
    const newest = newestByWorkspace(asking);
    const sought = [...newest].map(([ws, at]): Sought => ({ at, mayHold: mayHold(ws) }));
    const seen = await readEach(queues, async (queue) => {
      const unfinished = await readLong(redis, queue);
      return { jobs: jobsIn(queue, unfinished, sought), upTo: seenUpTo(unfinished) };
    });
    const jobs = seen.flatMap((one) => one.jobs).toSorted((a, b) => a.stamp - b.stamp);
    const { groups, upTo } = await read(redis, jobs);
    const requests = groups
      .flatMap((group) => group.requests.map(unpack))
      .filter(({ id, ws, at }) => !batch.has(id) && at < (newest.get(ws) ?? 0));
    return { requests, upTo: Math.min(upTo, ...seen.map((one) => one.upTo)) };
  };

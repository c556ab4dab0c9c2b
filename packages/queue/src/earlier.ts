/** The requests that are unfinished and were accepted before others: read whole, to see which people they name. */
import type { AcceptedRequest } from '@roster/contract';
import type { Redis } from 'ioredis';
import { readLong, type Unfinished } from './fence.ts';
import { type Group, mayHold, stampOfGroupId, unpack } from './group.ts';
import { type QueueName, queueKey } from './names.ts';

type Asking = Pick<AcceptedRequest, 'ws' | 'at'>;

/** Of the workspaces asked about, without those of the batch; `undefined`: more than can be read. */
export type ReadEarlier = (
  asking: readonly Asking[],
  batch: ReadonlySet<string>,
) => Promise<AcceptedRequest[] | undefined>;

/** Workers hold few jobs each. A workspace with more unfinished jobs has a backlog, and its requests wait for it anyway. */
const mostJobs = 64;
const mostBytes = 4_000_000;

interface JobPlace {
  queue: QueueName;
  id: string;
}

/** For each workspace the newest stamp asked about. */
const newestOf = (asking: readonly Asking[]): Map<string, number> => {
  const newest = new Map<string, number>();
  for (const { ws, at } of asking) newest.set(ws, Math.max(at, newest.get(ws) ?? 0));
  return newest;
};

interface Sought {
  at: number;
  mayHold(id: string): boolean;
}

/** The jobs of a queue that may hold an earlier request. In a longer line more of them may follow the one that stands first. */
const jobsIn = ({ active, front, goesOn }: Unfinished, sought: readonly Sought[]): string[] | undefined => {
  const isEarlier = (id: string, at: number): boolean => (stampOfGroupId(id) ?? 0) < at;
  const [last] = front;
  if (goesOn && last !== undefined && sought.some(({ at }) => isEarlier(last, at))) return undefined;
  return [...active, ...front].filter((id) => sought.some((one) => isEarlier(id, one.at) && one.mayHold(id)));
};

const read = async (redis: Redis, jobs: readonly JobPlace[]): Promise<Group[] | undefined> => {
  const keys = jobs.map(({ queue, id }) => queueKey(queue, id));
  const sizes = await Promise.all(keys.map((key) => redis.hstrlen(key, 'data')));
  if (sizes.reduce((total, size) => total + size, 0) > mostBytes) return undefined;
  const texts = await Promise.all(keys.map((key) => redis.hget(key, 'data')));
  // A job that is not there any more was finished meanwhile.
  return texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as Group]));
};

export const createReadEarlier =
  (redis: Redis, queues: readonly QueueName[]): ReadEarlier =>
  async (asking, batch) => {
    const newest = newestOf(asking);
    const sought = [...newest].map(([ws, at]): Sought => ({ at, mayHold: mayHold(ws) }));
    const jobs: JobPlace[] = [];
    for (const [place, unfinished] of (await readLong(redis, queues)).entries()) {
      const ids = jobsIn(unfinished, sought);
      if (!ids || jobs.length + ids.length > mostJobs) return undefined;
      jobs.push(...ids.map((id) => ({ queue: queues[place] as QueueName, id })));
    }
    if (jobs.length === 0) return [];
    const groups = await read(redis, jobs);
    return groups
      ?.flatMap(({ requests }) => requests.map(unpack))
      .filter(({ id, ws, at }) => !batch.has(id) && at < (newest.get(ws) ?? 0));
  };

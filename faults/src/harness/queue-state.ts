// What lies in the queues, read from the bare keys of Redis: a check that used the queue's own code would share its mistakes.
import type { Redis } from 'ioredis';

/** A request as it lies in a job. */
export interface QueuedRequest {
  id: string;
  body?: Record<string, unknown[]>;
}

/** As it stands in the job, names left out. */
type Packed = [id: string, ws: string, op: string, body: QueuedRequest['body'] | null];

interface QueuedJob {
  requests?: Packed[];
  /** Of a dead letter. */
  id?: string;
  code?: string;
  reason?: string;
}

const lists = ['wait', 'active', 'paused'];
const sets = ['delayed', 'prioritized', 'waiting-children', 'failed'];

const keysLike = async (redis: Redis, pattern: string): Promise<string[]> => {
  const found = new Set<string>();
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', 1_000);
    for (const key of keys) found.add(key);
    cursor = next;
  } while (cursor !== '0');
  return [...found];
};

/** The queues that hold anything at all: `{roster:track-0}:track-0` and the like. */
const queues = async (redis: Redis): Promise<string[]> =>
  (await keysLike(redis, '{roster:*}:*:meta')).map((key) => key.slice(0, -':meta'.length));

/** In a script: MULTI takes no commands from a Redis that is full. */
const readAll = `
local ids = {}
for _, queue in ipairs(KEYS) do
  for _, list in ipairs({${lists.map((name) => `'${name}'`).join()}}) do
    for _, id in ipairs(redis.call('LRANGE', queue .. ':' .. list, 0, -1)) do ids[#ids + 1] = id end
  end
  for _, set in ipairs({${sets.map((name) => `'${name}'`).join()}}) do
    for _, id in ipairs(redis.call('ZRANGE', queue .. ':' .. set, 0, -1)) do ids[#ids + 1] = id end
  end
end
return ids`;

/** Of these queues, all at one moment: a job that goes from one list to another between two looks would be in none. */
const jobIdsOf = async (redis: Redis, all: readonly string[]): Promise<string[]> =>
  (await redis.eval(readAll, all.length, ...all)) as string[];

const jobsOf = async (redis: Redis, queue: string): Promise<QueuedJob[]> => {
  const jobs: QueuedJob[] = [];
  const ids = await jobIdsOf(redis, [queue]);
  for (let from = 0; from < ids.length; from += 200) {
    const read = redis.pipeline();
    for (const id of ids.slice(from, from + 200)) read.hget(`${queue}:${id}`, 'data');
    for (const [, data] of (await read.exec()) ?? [])
      if (data) jobs.push(JSON.parse(String(data)) as QueuedJob);
  }
  return jobs;
};

const isDeadQueue = (queue: string): boolean => queue.endsWith(':dead');

/** Every request that is queued or at work. */
export const requestsInFlight = async (redis: Redis): Promise<QueuedRequest[]> => {
  const requests: QueuedRequest[] = [];
  for (const queue of await queues(redis)) {
    if (isDeadQueue(queue)) continue;
    const packed = (await jobsOf(redis, queue)).flatMap((job) => job.requests ?? []);
    for (const [id, , , body] of packed) requests.push({ id, ...(body && { body }) });
  }
  return requests;
};

export interface Dead {
  id: string;
  code: string;
  reason: string;
}

export const deadLetters = async (redis: Redis): Promise<Dead[]> => {
  const dead = await jobsOf(redis, '{roster:dead}:dead');
  return dead.map(({ id = '', code = '', reason = '' }) => ({ id, code, reason }));
};

/** How many dead letters there are, without reading them. */
export const countDead = async (redis: Redis): Promise<number> =>
  (await jobIdsOf(redis, ['{roster:dead}:dead'])).length;

/** How many jobs are queued or at work. */
export const jobsInFlight = async (redis: Redis): Promise<number> => {
  const alive = (await queues(redis)).filter((queue) => !isDeadQueue(queue));
  return (await jobIdsOf(redis, alive)).length;
};

import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedRequest } from '@roster/contract';
import type { Redis } from 'ioredis';
import { isBackground, mayHold, stampOfGroupId } from '../group.ts';
import { type QueueName, queueKey } from '../names.ts';
import { type Queues, readEach } from '../partitions.ts';

/** The unfinished jobs of one queue: the ids of active jobs, and of jobs at the front of the line. */
export interface Unfinished {
  active: string[];
  front: string[];
  /** The line is longer than the front. */
  goesOn?: boolean;
}

/**
 * How far into the line the fence looks. A queue hands out jobs in the order in which they were added, with one exception: the jobs of a dead
 * worker return to the front, in any order. There are never more of those than all workers of a queue hold at once (4 each), because new jobs
 * are taken only when no returned one waits. So this is enough for 64 workers.
 */
export const frontLength = 256;

/**
 * The fence, as a rule: everything that was queued before the stamp was taken is finished. A job that was added before has a lower stamp; a
 * job with a higher stamp was added later. Behind the returned jobs the line is in order, so if the whole front has higher stamps, nothing
 * lower waits behind it.
 */
export const isPast = (stamp: number, queues: readonly Unfinished[]): boolean => oldestOf(queues) > stamp;

/** The oldest stamp of unfinished requests, without the jobs whose oldest request is one of ours. */
export const oldestOf = (queues: readonly Unfinished[], own: ReadonlySet<number> = new Set()): number => {
  let oldest = Number.POSITIVE_INFINITY;
  for (const { active, front } of queues) {
    for (const id of [...active, ...front]) {
      const stamp = stampOfGroupId(id) ?? 0;
      if (stamp < oldest && !own.has(stamp)) oldest = stamp;
    }
  }
  return oldest;
};

/** The most jobs of other workspaces that are read. A job is about 40 bytes of answer. */
const longestLook = 4096;

interface Reading {
  /** How far into the line. */
  length?: number;
  /** Jobs that are parked (work/parked.ts) count as active ones, until they are so old; without it they don't count. */
  parkedMs?: number | undefined;
}

/** Reads all lists at one moment: a job that moves between them must be seen in one of them. */
export const readUnfinished = async (
  redis: Redis,
  queue: QueueName,
  { length = frontLength, parkedMs }: Reading = {},
): Promise<Unfinished> => {
  const lists = redis
    .multi()
    .lrange(queueKey(queue, 'wait'), -length, -1)
    .lrange(queueKey(queue, 'active'), 0, -1);
  if (parkedMs !== undefined)
    for (const name of ['delayed', 'prioritized'])
      lists.zrange(queueKey(queue, name), '0', String(longestLook));
  const [front = [], active = [], ...parked] = ((await lists.exec()) ?? []).map(([, ids]) => ids as string[]);
  const since = (Date.now() - (parkedMs ?? 0)) * 1000;
  const awaited = parked.flat().filter((id) => (stampOfGroupId(id) ?? 0) >= since);
  return { front, active: [...active, ...awaited], goesOn: front.length >= length };
};

export const readAll = (redis: Redis, queues: Queues, reading?: Reading): Promise<Unfinished[]> =>
  readEach(queues, (queue) => readUnfinished(redis, queue, reading));

/**
 * How long others wait for a request that needs another version. Where versions are exchanged it is taken within seconds. When nobody has taken it by
 * then, after a way back to the earlier version, it has a problem of its own; and it is applied by its stamp, however late.
 */
const parkedForMs = 60_000;

/** The jobs that count, by their ids. In a longer line more of them may follow the last one that was read, which stands first and stays. */
const onlyJobs = (queues: readonly Unfinished[], counts: (id: string) => boolean): Unfinished[] =>
  queues.map(({ active, front, goesOn = false }) => ({
    active: active.filter(counts),
    front: front.filter((id, place) => counts(id) || (place === 0 && goesOn)),
    goesOn,
  }));

/** The jobs that may hold requests of a workspace. */
const ofWorkspace = (ws: string, queues: readonly Unfinished[]): Unfinished[] =>
  onlyJobs(queues, mayHold(ws));

/** By workspace, the newest stamp of these requests. */
export const newestByWorkspace = (
  requests: readonly Pick<AcceptedRequest, 'ws' | 'at'>[],
): Map<string, number> => {
  const newest = new Map<string, number>();
  for (const { ws, at } of requests) newest.set(ws, Math.max(newest.get(ws) ?? 0, at));
  return newest;
};

/** By workspace, the oldest stamp that may belong to one of its requests. */
export type OldestOf = (ws: string) => number;

/** For each workspace that is asked for, once. */
export const oldestByWorkspace = (queues: readonly Unfinished[], own?: ReadonlySet<number>): OldestOf => {
  const known = new Map<string, number>();
  return (ws) => {
    const oldest = known.get(ws) ?? oldestOf(ofWorkspace(ws, queues), own);
    known.set(ws, oldest);
    return oldest;
  };
};

export const readLong = (redis: Redis, queue: QueueName, parkedMs?: number): Promise<Unfinished> =>
  readUnfinished(redis, queue, { length: queue.heavy ? longestLook : frontLength, parkedMs });

const readAllLong = (redis: Redis, queues: Queues, parkedMs?: number): Promise<Unfinished[]> =>
  readEach(queues, (queue) => readLong(redis, queue, parkedMs));

/** By workspace, the oldest stamp of unfinished requests, without the jobs that begin with one of these; infinite when there are none. */
export type OldestBeside = (own: ReadonlySet<number>) => Promise<OldestOf>;

export const createOldestBeside =
  (redis: Redis, queues: Queues): OldestBeside =>
  async (own) =>
    oldestByWorkspace(await readAllLong(redis, queues), own);

export const createFence = (redis: Redis, queues: Queues, parkedMs = parkedForMs) => {
  const passed = async (stamp: number, ws?: string): Promise<boolean> => {
    const seen = await readAll(redis, queues, { parkedMs });
    if (isPast(stamp, seen)) return true;
    if (ws === undefined) return false;
    if (isPast(stamp, ofWorkspace(ws, seen))) return true;
    const isLong = seen.some(({ goesOn }) => goesOn);
    return isLong && isPast(stamp, ofWorkspace(ws, await readAllLong(redis, queues, parkedMs)));
  };
  return {
    /** Of this workspace, or of all. */
    isPast: passed,
    /** True once everything accepted before the stamp, of this workspace or of all, is finished; false when that takes longer than `ms`. */
    async wait(stamp: number, ms: number, ws?: string): Promise<boolean> {
      const until = performance.now() + ms;
      for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
        if (await passed(stamp, ws)) return true;
        if (performance.now() + pause > until) return false;
        await sleep(pause);
      }
    },
  };
};

export type Fence = ReturnType<typeof createFence>;

/** Which of these requests may be applied now; by their ids. */
export type Gate = (requests: readonly AcceptedRequest[]) => Promise<ReadonlySet<string>>;

/** By workspace, a stamp: requests with a higher one have to wait. */
export type HeldUp = (requests: readonly AcceptedRequest[]) => Promise<ReadonlyMap<string, number>>;

interface GateOptions {
  heldUp?: HeldUp;
  /** Jobs that hold up nothing, by their ids. */
  isPassable?(id: string): boolean;
}

/**
 * The fence for each request by itself: the last requests of a batch do not delay the first ones, and a request does not wait for the
 * backlog of another workspace.
 */
export const createGate =
  (redis: Redis, queues: Queues, { heldUp, isPassable = () => false }: GateOptions = {}): Gate =>
  async (requests) => {
    if (requests.length === 0) return new Set();
    const seen = onlyJobs(await readAllLong(redis, queues, parkedForMs), (id) => !isPassable(id));
    const oldest = oldestByWorkspace(seen);
    const from = (await heldUp?.(requests)) ?? new Map<string, number>();
    const hasPassed = ({ ws, at }: AcceptedRequest): boolean =>
      at < oldest(ws) && at < (from.get(ws) ?? Number.POSITIVE_INFINITY);
    return new Set(requests.filter(hasPassed).map(({ id }) => id));
  };

/** Syncs have fewer jobs than this on their way, so one of a caller is among them. */
const syncJobs = 64;

/** Whether requests of callers wait or are at work, in any lane. */
export const callersWait = async (redis: Redis, queues: Queues): Promise<boolean> => {
  const unfinished = await readAll(redis, queues, { length: syncJobs });
  return unfinished.some(({ active, front }) => [...active, ...front].some((id) => !isBackground(id)));
};

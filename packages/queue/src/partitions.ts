/**
 * Into how many queues the requests of `track` are spread: two numbers in Redis, which `roster partitions` changes while everything runs. Requests
 * may be in as many queues as there ever were, so that number only grows; new requests go to the first so many.
 */
import type { Redis } from 'ioredis';
import { partitionsKey, type QueueName, queuesOf } from './names.ts';

export const mostPartitions = 256;

/** A request in a new partition waits this long at most until the workers have opened it. */
const everyMs = 2_000;

export interface PartitionCounts {
  /** New requests go to these. */
  written: number;
  /** Requests may be in these. */
  read: number;
}

const countOf = (text: string | null | undefined): number =>
  Math.min(mostPartitions, Math.max(1, Math.floor(Number(text)) || 1));

/** Undefined in an installation that has none yet. */
export const readPartitions = async (redis: Redis): Promise<PartitionCounts | undefined> => {
  const [written, read] = await redis.hmget(partitionsKey, 'written', 'read');
  if (written === null || read === null) return undefined;
  return { written: countOf(written), read: Math.max(countOf(written), countOf(read)) };
};

const made = async (redis: Redis, { written, read }: PartitionCounts): Promise<PartitionCounts> => {
  await redis
    .multi()
    .hsetnx(partitionsKey, 'written', String(written))
    .hsetnx(partitionsKey, 'read', String(read))
    .exec();
  return (await readPartitions(redis)) ?? { written, read };
};

/** The first number that is read grows before anything is written there. */
const changing = `
local read = math.max(tonumber(ARGV[1]), tonumber(redis.call('hget', KEYS[1], 'read') or '0'))
return redis.call('hset', KEYS[1], 'read', read, 'written', ARGV[1])`;

export const changePartitions = async (redis: Redis, written: number): Promise<void> => {
  await redis.eval(changing, 1, partitionsKey, String(written));
};

/** What a process knows of the numbers. `first` counts until there are any. */
export const createPartitions = (redis: Redis, first: number) => {
  let read = first;
  let written: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const listeners = new Set<() => void>();

  const learn = (counts: PartitionCounts): void => {
    const isMore = counts.read > read;
    written = counts.written;
    read = Math.max(counts.read, read);
    if (isMore) for (const listener of listeners) listener();
  };

  const ask = async (): Promise<void> => {
    const counts = await readPartitions(redis);
    if (counts) learn(counts);
  };

  /** A Redis that came back empty is told what was. */
  const askOrMake = async (): Promise<void> => {
    learn((await readPartitions(redis)) ?? (await made(redis, { written: written ?? first, read })));
  };

  // Where Redis is away, nobody changes the number.
  const look = (): void => void askOrMake().catch(() => {});

  return {
    ask,
    /** Until Redis has told, requests go where every process looks. */
    known: (): PartitionCounts => ({ written: written ?? 1, read }),
    /** Calls back when there are more. The result ends it. */
    onMore(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** For those who write into the queues, or take from them. Who looks for requests asks each time. */
    keepAsking(): void {
      if (timer) return;
      look();
      redis.on('ready', look);
      timer = setInterval(look, everyMs).unref();
    },
    close(): void {
      clearInterval(timer);
      redis.off('ready', look);
    },
  };
};

export type Partitions = ReturnType<typeof createPartitions>;

/** Queues of which there may be more soon. */
export interface GrowingQueues {
  partitions: Partitions;
  named(count: number): readonly QueueName[];
}

export type Queues = readonly QueueName[] | GrowingQueues;

/** Each group that is written asks for the names, so they are made once for a count. */
export const growing = (partitions: Partitions, named: GrowingQueues['named']): GrowingQueues => {
  const all = new Map<number, readonly QueueName[]>();
  return {
    partitions,
    named(count) {
      const names = all.get(count) ?? named(count);
      all.set(count, names);
      return names;
    },
  };
};

export const growingTrack = (partitions: Partitions): GrowingQueues =>
  growing(partitions, (count) => queuesOf('track', count));

const isGrowing = (queues: Queues): queues is GrowingQueues => 'partitions' in queues;

/** Some of them, or others beside them. */
export const mapped = (
  queues: Queues,
  map: (names: readonly QueueName[]) => readonly QueueName[],
): Queues => {
  if (!isGrowing(queues)) return map(queues);
  return growing(queues.partitions, (count) => map(queues.named(count)));
};

/** Those that may hold requests, as far as is known: for those who need not see every request. */
export const knownOf = (queues: Queues): readonly QueueName[] =>
  isGrowing(queues) ? queues.named(queues.partitions.known().read) : queues;

/** Those that new requests go to. */
export const writtenOf = (queues: Queues): readonly QueueName[] =>
  isGrowing(queues) ? queues.named(queues.partitions.known().written) : queues;

/** Calls back when there are more. The result ends it. */
export const followMore = (queues: Queues, listener: () => void): (() => void) => {
  if (!isGrowing(queues)) return () => {};
  const end = queues.partitions.onMore(listener);
  queues.partitions.keepAsking();
  return () => {
    end();
    queues.partitions.close();
  };
};

/**
 * Reads something in each of them. Who looks for all requests that were accepted before a stamp must see those of a partition that this process
 * has not heard of: so the number is asked for in the same moment, and all are read anew when it has grown.
 */
export const readEach = async <Found>(
  queues: Queues,
  read: (queue: QueueName) => Promise<Found>,
): Promise<Found[]> => {
  if (!isGrowing(queues)) return Promise.all(queues.map(read));
  for (;;) {
    const names = knownOf(queues);
    const [, ...found] = await Promise.all([queues.partitions.ask(), ...names.map(read)]);
    if (knownOf(queues).length === names.length) return found;
  }
};

import type { Redis } from 'ioredis';
import { commandTimeoutMs } from '../connection.ts';
import {
  groupId,
  intoGroups,
  maxGroupBytes,
  maxGroupEntries,
  type OutgoingGroup,
  type Sized,
} from '../group.ts';
import type { QueueName } from '../names.ts';
import { writeNotices } from '../order/deletions.ts';
import { readAll } from '../order/fence.ts';
import { knownOf, mapped, type Queues, writtenOf } from '../partitions.ts';
import { replicated } from '../replicas.ts';
import { type Backlogs, createLanes, heavyLane, type LanePart, type Lanes, oneLane } from '../share/lanes.ts';
import { createSpareBytes, type SpareBytes } from '../share/spare-bytes.ts';
import { within } from '../unavailable.ts';
import { createGathering } from './gather.ts';
import { type GroupQueue, type KeptOpen, keptOpen, type ReadyJson } from './group-queue.ts';

const largeBytes = 64 * 1024;

/** Few large requests are written at once; the largest body has 6 MB. */
const spareLargeBytes = { largest: 7_000_000, most: 2 };

export type Enqueue = (item: Sized) => Promise<void>;

export interface EnqueueOptions {
  redis: Redis;
  /** For large requests. On one connection, small ones would wait until megabytes are through its socket. */
  largeRedis?: Redis;
  queues: Queues;
  waitReplicas: number;
  /** Switches the heavy lane off, for the test that shows why the lane is needed. */
  oneLane?: boolean | undefined;
  /** No caller waits for these requests: all go into the heavy lane. */
  background?: boolean | undefined;
  /** Shared by the queues of a producer. */
  backlogs?: Backlogs;
  /** Called when a group is on disk. */
  onGroup?: ((heavy: boolean, requests: number) => void) | undefined;
}

const ofLane = (queues: Queues, isHeavy: boolean): Queues =>
  mapped(queues, (names) => names.filter(({ heavy = false }) => heavy === isHeavy));

const lanesOf = ({ redis, queues, oneLane: onlyOne, background, backlogs }: EnqueueOptions): Lanes => {
  const heavy = ofLane(queues, true);
  if (knownOf(heavy).length === 0 || onlyOne) return oneLane;
  if (background) return heavyLane;
  return createLanes(() => readAll(redis, heavy), backlogs);
};

/** Returns the queues of a lane in turn. */
const inTurn = (queues: Queues, opened: (name: QueueName) => KeptOpen): KeptOpen => {
  let turn = 0;
  return () => {
    const now = writtenOf(queues);
    return opened(now[turn++ % now.length] as QueueName)();
  };
};

interface AddOptions extends Pick<EnqueueOptions, 'redis' | 'waitReplicas'> {
  giveBack(json: Buffer): void;
}

const add = async (
  queue: GroupQueue,
  { op, ws, oldest, suffix, json, notices }: OutgoingGroup,
  { redis, waitReplicas, giveBack }: AddOptions,
): Promise<void> => {
  const jobId = groupId(oldest, suffix, ws);
  const data: ReadyJson = { json, toJSON: () => null };
  await within(commandTimeoutMs, queue.add(op, data, { jobId }));
  // Only now: a failed write may still be on its way to the socket.
  giveBack(json);
  await within(commandTimeoutMs, writeNotices(redis, notices));
  if (waitReplicas === 0) return;
  const reached = await within(commandTimeoutMs, replicated(redis, waitReplicas));
  if (reached < waitReplicas) throw new Error(`only ${reached} of ${waitReplicas} replicas have the request`);
};

/** The queues of both lanes over one connection, and the bytes of their groups. */
const openRoad = (redis: Redis, queues: Queues, spare: SpareBytes) => {
  const all = new Map<string, KeptOpen>();
  const opened = (queue: QueueName): KeptOpen => {
    const open = all.get(queue.name) ?? keptOpen(queue, redis);
    all.set(queue.name, open);
    return open;
  };
  const laneOf = (isHeavy: boolean): KeptOpen => inTurn(ofLane(queues, isHeavy), opened);
  return {
    redis,
    spare,
    normal: laneOf(false),
    heavy: laneOf(true),
    close: () => Promise.all([...all.values()].map((open) => open().close())),
  };
};

type Road = ReturnType<typeof openRoad>;

/** Each request gets its own error: one failed group says nothing about its neighbours. */
const writePart = async (
  part: LanePart,
  by: Road,
  { waitReplicas, onGroup }: EnqueueOptions,
): Promise<unknown[]> => {
  const next = part.heavy ? by.heavy : by.normal;
  const groups = intoGroups(part.items, maxGroupBytes, maxGroupEntries, by.spare.take);
  const adding: AddOptions = { redis: by.redis, waitReplicas, giveBack: by.spare.giveBack };
  const results = await Promise.allSettled(groups.map((group) => add(next(), group, adding)));
  return groups.flatMap(({ members }, index) => {
    const result = results[index];
    const error = result?.status === 'rejected' ? result.reason : undefined;
    if (result?.status === 'fulfilled') onGroup?.(part.heavy, members);
    return Array.from({ length: members }, () => error);
  });
};

/** Writes requests over one connection, in the parts of their lanes. Returns the error of each. */
const writeBy =
  (by: Road, lanes: Lanes, options: EnqueueOptions) =>
  async (items: Sized[]): Promise<unknown[]> => {
    const write = async (part: LanePart): Promise<unknown[]> => {
      const found = await writePart(part, by, options);
      lanes.written(part);
      return found;
    };
    const parts = lanes.split(items, performance.now());
    const [only] = parts;
    if (only && parts.length === 1) return write(only);
    const errors = new Map<Sized, unknown>();
    const writing = parts.map(async (part) => {
      const found = await write(part);
      for (const [index, item] of part.items.entries()) errors.set(item, found[index]);
    });
    await Promise.all(writing);
    return items.map((item) => errors.get(item));
  };

/** Writes gathered requests, one job a group, each group to the next partition: the order is carried by the stamps. */
export const createEnqueue = (options: EnqueueOptions): { enqueue: Enqueue; close(): Promise<void> } => {
  const { redis, largeRedis, queues } = options;
  const road = openRoad(redis, queues, createSpareBytes(2 * maxGroupBytes));
  const { largest, most } = spareLargeBytes;
  const largeRoad = largeRedis ? openRoad(largeRedis, queues, createSpareBytes(largest, most)) : road;
  const lanes = lanesOf(options);

  // Small requests do not wait until large ones are written.
  const [small, large] = [
    createGathering(writeBy(road, lanes, options)),
    createGathering(writeBy(largeRoad, lanes, options)),
  ];
  return {
    async enqueue(item) {
      const error = await (item.body.length > largeBytes ? large : small)(item);
      if (error !== undefined) throw error;
    },
    async close() {
      lanes.close();
      await road.close();
      if (largeRoad !== road) await largeRoad.close();
    },
  };
};

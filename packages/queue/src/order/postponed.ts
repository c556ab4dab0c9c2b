/**
 * Postponed requests: their effect depends on whether a person exists, no such person is stored, and a request accepted before is still
 * unfinished. They go into a job of their own near the front of the queue, where the fence sees them, behind everything older, and are tried again.
 */
import type { JobsOptions, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { freshSuffix, type Group, groupId, luaStampOf, type Packed, sum, unpack } from '../group.ts';
import { type QueueName, queueKey } from '../names.ts';
import { openQueue } from '../produce/group-queue.ts';
import { frontLength } from './fence.ts';

/** What `apply` returns for a postponed request: it had no effect. */
export const postponed = Symbol('postponed');
export type Postponed = typeof postponed;

/** About half a minute. A request that is unfinished for longer has a problem of its own, and others do not wait for it. */
export const mostTries = 120;

export const pauseMs = (tries: number): number => (tries === 0 ? 0 : Math.min(5 * 2 ** (tries - 1), 250));

/** A leased request, with everything that is needed to postpone it. */
export interface InHand {
  queue: QueueName;
  packed: Packed;
  /** How often it was postponed because the person it is about was not there. */
  tries: number;
  /** Estimated: a part of the size of its group. */
  entries: number;
  bytes: number;
}

/**
 * Moves a job from the front of a line behind the older jobs, because it may be waiting for one of them. At the front it would take the next
 * free place of a worker again and again. A line begins at the end of its list.
 */
const toItsPlace = `${luaStampOf}
local own, last = stampOf(ARGV[1]), nil
for _, id in ipairs(redis.call('LRANGE', KEYS[1], -tonumber(ARGV[2]), -1)) do
  if stampOf(id) < own then
    last = id
    break
  end
end
if last and redis.call('LREM', KEYS[1], -1, ARGV[1]) == 1 then
  redis.call('LINSERT', KEYS[1], 'BEFORE', last, ARGV[1])
end`;

/** Among the first jobs of the line: it must stay in the part that the fence reads. */
const placesBack = frontLength / 2;

/** Of all of them together: their own sizes are parts. */
export const sizeOf = (items: readonly InHand[]) => ({
  entries: Math.round(sum(items, ({ entries }) => entries)),
  bytes: Math.round(sum(items, ({ bytes }) => bytes)),
});

/** Each request has a count of its own: a new one has not waited enough because another one has. */
export const groupOf = (items: readonly InHand[]): Group => {
  const tries = Math.max(...items.map((item) => item.tries));
  const fewer = items.flatMap((item) => (item.tries < tries ? [[item.packed[0], item.tries]] : []));
  return {
    v: 1,
    ...sizeOf(items),
    requests: items.map(({ packed }) => packed),
    ...(tries > 0 && { tries }),
    ...(fewer.length > 0 && { fewerTries: Object.fromEntries(fewer) }),
  };
};

/** How often a request was postponed. */
const triesOf = ({ tries = 0, fewerTries }: Group, [id]: Packed): number => fewerTries?.[id] ?? tries;

/** The requests of a job. */
export const inHand = ({ queue, group }: { queue: QueueName; group: Group }): InHand[] => {
  const { requests } = group;
  const share = { entries: group.entries / requests.length, bytes: group.bytes / requests.length };
  return requests.map((packed) => ({ queue, packed, tries: triesOf(group, packed), ...share }));
};

export const createPostponer = (redis: Redis) => {
  const queues = new Map<string, Queue>();

  const queueOf = (queue: QueueName): Queue => {
    const open = queues.get(queue.name) ?? openQueue(queue, redis);
    queues.set(queue.name, open);
    return open;
  };

  /** Jobs go back to the queues that they came from: the fence looks at one queue after the other and must not miss them. */
  const addTogether = async (items: readonly InHand[], options: JobsOptions): Promise<void> => {
    const { queue, packed } = items[0] as InHand;
    const [, ws, op] = packed;
    const requests = items.map((item) => unpack(item.packed));
    const oldest = Math.min(...requests.map(({ at }) => at));
    const jobId = groupId(oldest, freshSuffix(requests), ws);
    await queueOf(queue).add(op, groupOf(items), { ...options, jobId });
    if (options.lifo) await redis.eval(toItsPlace, 1, queueKey(queue, 'wait'), jobId, placesBack);
  };

  /** Resolves when the new jobs are on disk. Only then may the jobs end from which the requests came. */
  const add = async (items: readonly InHand[], options: JobsOptions): Promise<void> => {
    // Each workspace gets a job of its own, so that no workspace waits for another one.
    const together = new Map<string, InHand[]>();
    for (const item of items) {
      const place = `${item.queue.name} ${item.packed[1]}`;
      const others = together.get(place) ?? [];
      together.set(place, others);
      others.push(item);
    }
    await Promise.all([...together.values()].map((some) => addTogether(some, options)));
  };

  return {
    postpone: (items: readonly InHand[]): Promise<void> => add(items, { lifo: true }),
    add,
    async close(): Promise<void> {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
};

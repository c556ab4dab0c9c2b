import type { AcceptedRequest } from '@roster/contract';
import type { Redis } from 'ioredis';
import { type QueueName, queueKey } from '../names.ts';
import type { Computing } from './computing.ts';
import { type Cause, type Evidence, type NextStep, points, readEvidence, stepsFor } from './evidence.ts';
import type { Watch } from './watch.ts';

/** Longer than any process manager waits before it starts a worker again. */
const keptSeconds = 7 * 24 * 3600;

/** Evidence that outlives a process: written before suspects are at work, removed when they are finished. After a crash it is still there. */
const createSuspects = (redis: Redis, key: string) => {
  const add = async (ids: readonly string[], more: number): Promise<void> => {
    const write = redis.multi();
    for (const id of ids) write.hincrby(key, id, more);
    await write.exec();
  };
  return {
    async read(ids: readonly string[]): Promise<Evidence[]> {
      return (await redis.hmget(key, ...ids)).map(readEvidence);
    },
    /** Removes the evidence against the suspects before in the same round trip. */
    async enter(ids: readonly string[], before: readonly string[]): Promise<void> {
      const write = redis.multi();
      if (before.length > 0) write.hdel(key, ...before);
      for (const id of ids) write.hincrby(key, id, points.waiting);
      write.expire(key, keptSeconds);
      await write.exec();
    },
    /** The process computes with them from now on. */
    accuse: (ids: readonly string[]): Promise<void> => add(ids, points.computing - points.waiting),
    /** The suspects are still at work, but the process is no longer computing with them: what ends it now may have another cause. */
    relieve: (ids: readonly string[]): Promise<void> => add(ids, points.waiting - points.computing),
    async leave(ids: readonly string[]): Promise<void> {
      if (ids.length > 0) await redis.hdel(key, ...ids);
    },
  };
};

interface RecoveryOptions<Done> {
  redis: Redis;
  watch: Watch;
  settle(requests: AcceptedRequest[]): Promise<Done[]>;
  dead(request: AcceptedRequest, cause: Cause): Promise<Done>;
  /** Called by the worker when it computes. Without it, a worker computes in the first moments of its work. */
  computing?: Computing | undefined;
}

type Suspects = ReturnType<typeof createSuspects>;

type Run<Done> = (some: AcceptedRequest[], ids: string[]) => Promise<Done[]>;

const firstMomentsMs = 500;

/** Returns a function that ends it. */
const inFirstMoments = async (suspects: Suspects, ids: readonly string[]): Promise<() => Promise<void>> => {
  await suspects.accuse(ids);
  let relieving: Promise<void> | undefined;
  const timer = setTimeout(() => {
    // Redis is away: they stay suspects, and are tried alone once more.
    relieving = suspects.relieve(ids).catch(() => {});
  }, firstMomentsMs);
  return async () => {
    clearTimeout(timer);
    await relieving;
  };
};

/** Settles requests while a crash would leave evidence, which weighs more while the worker computes with them. */
const createWatched =
  <Done>(
    { watch, settle, computing }: RecoveryOptions<Done>,
    { key, suspects }: { key: string; suspects: Suspects },
  ): Run<Done> =>
  async (some, ids) => {
    const [only] = ids;
    // Before the first moments begin: the thread may take a while to connect.
    await watch.hold(only && ids.length === 1 ? { key, id: only } : { key });
    let over: () => void | Promise<void> = () => {};
    try {
      over = computing
        ? computing.guard(ids, {
            begins: suspects.accuse,
            // As above.
            ended: async (some) => suspects.relieve(some).catch(() => {}),
          })
        : await inFirstMoments(suspects, ids);
      return await settle(some);
    } finally {
      watch.letGo();
      await over();
    }
  };

/** Runs a job after its worker vanished: few requests at a time, suspects alone, each leaving evidence while it runs. */
export const createRecovery = <Done>(options: RecoveryOptions<Done>) => {
  const { redis, dead } = options;
  return async (queue: QueueName, requests: AcceptedRequest[]): Promise<Done[]> => {
    const key = queueKey(queue, 'suspects');
    const suspects = createSuspects(redis, key);
    const watched = createWatched(options, { key, suspects });
    const replies: Done[] = [];
    let entered: string[] = [];

    const take = async (step: NextStep): Promise<void> => {
      const places = step.kind === 'try' ? step.places : [step.place];
      const some = places.map((place) => requests[place] as AcceptedRequest);
      if (step.kind === 'dead') {
        replies[step.place] = await dead(some[0] as AcceptedRequest, step.cause);
        entered.push(...some.map(({ id }) => id));
        return;
      }
      const ids = some.map(({ id }) => id);
      const before = entered;
      entered = ids;
      await suspects.enter(ids, before);
      for (const [n, reply] of (await watched(some, ids)).entries()) replies[places[n] as number] = reply;
    };

    try {
      for (const step of stepsFor(await suspects.read(requests.map(({ id }) => id)))) await take(step);
      return replies;
    } finally {
      // The process survived, even if the step threw. After a crash this line is not reached and the evidence stays.
      await suspects.leave(entered);
    }
  };
};

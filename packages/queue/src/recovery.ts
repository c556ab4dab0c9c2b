import type { AcceptedRequest } from '@roster/contract';
import type { Redis } from 'ioredis';
import type { Cause } from './evidence.ts';
import { type Step, stepsFor } from './evidence.ts';
import { type QueueName, queueKey } from './names.ts';
import { createSuspects } from './suspects.ts';
import type { Watch } from './watch.ts';

interface RecoveryOptions<Done> {
  redis: Redis;
  watch: Watch;
  settle(requests: AcceptedRequest[]): Promise<Done[]>;
  dead(request: AcceptedRequest, cause: Cause): Promise<Done>;
  /** A process that goes on for so long has survived the first moments of its work. */
  earlyMs?: number;
}

/** Runs a job after its worker vanished: few requests at a time, suspects alone, each leaving evidence while it runs. */
export const createRecovery = <Done>({
  redis,
  watch,
  settle,
  dead,
  earlyMs = 500,
}: RecoveryOptions<Done>) => {
  return async (queue: QueueName, requests: AcceptedRequest[]): Promise<Done[]> => {
    const key = queueKey(queue, 'suspects');
    const suspects = createSuspects(redis, key);
    const replies: Done[] = [];
    let entered: string[] = [];

    const watched = async (some: AcceptedRequest[], ids: string[]): Promise<Done[]> => {
      let relieving: Promise<unknown> | undefined;
      const relieve = (): void => {
        relieving = suspects.relieve(ids).catch(() => {});
      };
      const timer = setTimeout(relieve, earlyMs);
      const [only] = ids;
      watch.hold(only && ids.length === 1 ? { key, id: only } : { key });
      try {
        return await settle(some);
      } finally {
        clearTimeout(timer);
        watch.letGo();
        await relieving;
      }
    };

    const take = async (step: Step): Promise<void> => {
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
      // The process survived, even if the step threw. After a crash this line is not reached, and the evidence stays.
      await suspects.leave(entered);
    }
  };
};

import type { AcceptedRequest } from '@roster/contract';
import { type QueueName, queueKey } from './names.ts';
import { type Step, stepsFor } from './suspect-steps.ts';
import { createSuspects } from './suspects.ts';
import { createWatched, type RecoveryOptions } from './watched.ts';

/** Runs a job after its worker vanished: few requests at a time, suspects alone, each leaving evidence while it runs. */
export const createRecovery = <Done>(options: RecoveryOptions<Done>) => {
  const { redis, dead } = options;
  return async (queue: QueueName, requests: AcceptedRequest[]): Promise<Done[]> => {
    const key = queueKey(queue, 'suspects');
    const suspects = createSuspects(redis, key);
    const watched = createWatched(options, { key, suspects });
    const replies: Done[] = [];
    let entered: string[] = [];

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

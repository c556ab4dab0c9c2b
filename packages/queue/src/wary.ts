import type { AcceptedRequest } from '@roster/contract';
import type { Redis } from 'ioredis';
import { type QueueName, queueKey } from './names.ts';
import type { Cause } from './settle.ts';
import { createSuspects } from './suspects.ts';

interface WaryOptions<Done> {
  redis: Redis;
  settle(requests: AcceptedRequest[]): Promise<Done[]>;
  dead(request: AcceptedRequest, cause: Cause): Promise<Done>;
}

const crash: Cause = { code: 'crash', reason: 'the worker process ended each time this request ran' };

/** For a job that stalled twice: one request at a time, each leaving a bread crumb while it runs. */
export const createWary = <Done>({ redis, settle, dead }: WaryOptions<Done>) => {
  const settleOne = async (queue: QueueName, request: AcceptedRequest): Promise<Done> => {
    const suspects = createSuspects(redis, queueKey(queue, 'suspects'));
    const isConvicted = await suspects.isConvicted(request.id);
    if (!isConvicted) await suspects.enter(request.id);
    try {
      return isConvicted ? await dead(request, crash) : ((await settle([request]))[0] as Done);
    } finally {
      // Whatever was thrown: the process lives. After a crash nothing comes by here.
      await suspects.leave(request.id);
    }
  };

  return async (queue: QueueName, requests: AcceptedRequest[]): Promise<Done[]> => {
    const replies: Done[] = [];
    for (const request of requests) replies.push(await settleOne(queue, request));
    return replies;
  };
};

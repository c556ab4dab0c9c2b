/** Passes the requests of a batch that may be applied now. */
import type { AcceptedRequest } from '@roster/contract';
import type { Redis } from 'ioredis';
import type { QueueName } from './names.ts';
import { oldestByWorkspace } from './oldest-of-workspace.ts';
import { noStamps, readLong } from './unfinished.ts';

/** Which of these requests may be applied now; by their ids. */
export type Gate = (requests: readonly AcceptedRequest[]) => Promise<ReadonlySet<string>>;

/** By workspace, a stamp: requests with a higher one have to wait. */
export type HeldUp = (requests: readonly AcceptedRequest[]) => Promise<ReadonlyMap<string, number>>;

const nothingHeldUp: HeldUp = async () => new Map();

/**
 * The fence for each request by itself: the last requests of a batch do not delay the first ones, and a request does not wait for the
 * backlog of another workspace.
 */
export const createGate =
  (redis: Redis, queues: readonly QueueName[], heldUp: HeldUp = nothingHeldUp): Gate =>
  async (requests) => {
    const oldest = oldestByWorkspace(await readLong(redis, queues), noStamps);
    const from = await heldUp(requests);
    const hasPassed = ({ ws, at }: AcceptedRequest): boolean =>
      at < oldest(ws) && at < (from.get(ws) ?? Number.POSITIVE_INFINITY);
    return new Set(requests.filter(hasPassed).map(({ id }) => id));
  };

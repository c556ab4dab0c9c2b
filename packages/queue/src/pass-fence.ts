/** A turn at the fence: requests that have passed are settled, the others wait in jobs of their own. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedRequest } from '@roster/contract';
import type { Gate } from './gate.ts';
import { type Postponed, postponed } from './postponed.ts';
import type { Reply } from './reply-piece.ts';
import { Released } from './settle.ts';

/** A turn waits this long for all of its requests. Then it goes on with the requests that have passed. */
const wholeWithinMs = 100;

/** A turn waits this long when no request has passed. Then its jobs move behind others, which may hold the requests that it waits for. */
const longestAtFenceMs = 1000;

/** Before anything comes under suspicion: a request that was only waiting when its worker was killed has done nothing wrong. */
export const passFence = async (
  { fence, on = {} }: { fence?: Gate; on?: { fenced?(ms: number): void } },
  stopping: () => boolean,
  requests: readonly AcceptedRequest[],
): Promise<ReadonlySet<string>> => {
  if (!fence) return new Set(requests.map(({ id }) => id));
  const started = performance.now();
  for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
    const passed = await fence(requests);
    const ms = performance.now() - started;
    const isEnough = passed.size > 0 && ms >= wholeWithinMs;
    if (isEnough || ms >= longestAtFenceMs || requests.every(({ id }) => passed.has(id))) {
      on.fenced?.(ms);
      return passed;
    }
    if (stopping()) throw new Released();
    await sleep(pause);
  }
};

export type Settled = (requests: AcceptedRequest[]) => Promise<(Reply | Postponed)[]>;

export const settlePassed = async (
  requests: AcceptedRequest[],
  passed: ReadonlySet<string>,
  settled: Settled,
): Promise<(Reply | Postponed)[]> => {
  const ready = requests.filter(({ id }) => passed.has(id));
  if (ready.length === requests.length) return settled(requests);
  const replies = ready.length > 0 ? await settled(ready) : [];
  const replyTo = new Map<string, Reply | Postponed | undefined>(
    ready.map(({ id }, place) => [id, replies[place]]),
  );
  return requests.map(({ id }): Reply | Postponed => replyTo.get(id) ?? postponed);
};

/** A turn at the fence: requests that have passed are settled, the others wait in jobs of their own. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedRequest } from '@roster/contract';
import type { Reply } from '../reply/pieces.ts';
import { Released } from '../work/settle.ts';
import type { Gate } from './fence.ts';
import { type Postponed, postponed } from './postponed.ts';

/** How long a turn waits at the fence for all of its requests; then the requests that have passed go on. */
const wholeWithinMs = 100;

/** How long it waits when none has passed. Then its jobs make room for those behind them, for which it may be waiting. */
const longestAtFenceMs = 1000;

/** Runs before requests come under suspicion: a request that was only waiting when its worker was killed is innocent. */
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

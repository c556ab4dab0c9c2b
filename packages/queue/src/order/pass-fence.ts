/** A job at the fence: its requests that have passed go on to the turns, the others wait in a job of their own. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedRequest } from '@roster/contract';
import { unpack } from '../group.ts';
import { Released } from '../work/settle.ts';
import type { LeasedJob } from '../work/submit-group.ts';
import type { Gate } from './fence.ts';
import { groupOf, type InHand, inHand } from './postponed.ts';

/** How long a job waits at the fence for all of its requests; then the requests that have passed go on. */
const wholeWithinMs = 10;

/** How long it waits when none has passed. Then it makes room for those behind it, for which it may be waiting. */
const longestAtFenceMs = 1000;

const longestPauseMs = 32;

interface Passing {
  fence?: Gate | undefined;
  on?: { fenced?(ms: number): void; postponed?(requests: number): void } | undefined;
  stopping(): boolean;
  postpone(held: readonly InHand[]): Promise<void>;
}

const passFence = async (
  fence: Gate,
  { on, stopping }: Pick<Passing, 'on' | 'stopping'>,
  requests: readonly AcceptedRequest[],
): Promise<ReadonlySet<string>> => {
  const started = performance.now();
  for (let pause = 2; ; pause = Math.min(pause * 2, longestPauseMs)) {
    const passed = await fence(requests);
    const ms = performance.now() - started;
    const isEnough = passed.size > 0 && ms >= wholeWithinMs;
    if (isEnough || ms >= longestAtFenceMs || requests.every(({ id }) => passed.has(id))) {
      on?.fenced?.(ms);
      return passed;
    }
    if (stopping()) throw new Released();
    await sleep(pause);
  }
};

type Submit = (leased: LeasedJob) => Promise<void>;

/**
 * A job waits before it has a turn, so a request that may go on never waits for a turn of one that may not. It also waits before its requests
 * come under suspicion: one that was only waiting when its worker was killed is innocent.
 */
export const behindFence = (submit: Submit, { fence, postpone, ...passing }: Passing): Submit => {
  if (!fence) return submit;
  return async (leased) => {
    const items = inHand(leased);
    const requests = items.map(({ packed }) => unpack(packed));
    const passed = await passFence(fence, passing, requests);
    const ready = items.filter(({ packed: [id] }) => passed.has(id));
    if (ready.length === items.length) return submit(leased);
    if (ready.length > 0) await submit({ ...leased, group: groupOf(ready) });
    const held = items.filter(({ packed: [id] }) => !passed.has(id));
    await postpone(held);
    passing.on?.postponed?.(held.length);
  };
};

// How long it takes from the stamp of a request until it is committed, as a caller sees it who waits for that.
import { inUsualMs } from '../yardstick/usual-ms.ts';
import { type Answer, type Client, isAccepted, requestIdOf, stampOf } from './client.ts';
import { steadily } from './pace.ts';

/** The longest that a caller may wait. */
const waitSeconds = 30;

export interface Delays {
  answers: Answer[];
  /** Of the accepted ones, as the usual machine would take. */
  ms: number[];
}

/** Sends at a steady rate for a while, whatever comes back, and waits for each until it is applied. */
export const delaysOf = async (options: {
  client: Client;
  perSecond: number;
  seconds: number;
  bodyOf(n: number): unknown;
}): Promise<Delays> => {
  const { client, perSecond, seconds, bodyOf } = options;
  const delays: Delays = { answers: [], ms: [] };
  const send = async (n: number): Promise<void> => {
    const headers = { prefer: `wait=${waitSeconds}` };
    const timeoutMs = (waitSeconds + 5) * 1_000;
    const answer = await client.call({ body: bodyOf(n), headers, timeoutMs });
    delays.answers.push(answer);
    if (isAccepted(answer)) delays.ms.push(inUsualMs(Date.now() - stampOf(requestIdOf(answer)) / 1_000));
  };
  await steadily(perSecond, perSecond * seconds, send);
  return delays;
};

export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
};

const mostTimes = 3;

/**
 * A shorter delay than this is not the neighbour's doing: one big turn that is under way, or, on a machine with two busy cores, whoever has
 * the CPU just now. What it is held against is far away: without protection the delays are seconds.
 */
const floorMs = 150;

/** The slowest of a hundred, as usual and beside the load of another workspace: at most three times as slow. */
export const compareDelays = (before: Delays, beside: Delays) => {
  const [usual, then] = [quantile(before.ms, 0.99), quantile(beside.ms, 0.99)];
  const most = mostTimes * Math.max(usual, floorMs);
  const unanswered = beside.answers.length - beside.ms.length;
  const broken: string[] = [];
  // Also when there is no figure at all.
  if (!(then <= most))
    broken.push(`99 of 100 were applied within ${then.toFixed(0)} ms, not ${most.toFixed(0)}`);
  if (unanswered > 0) broken.push(`${unanswered} requests beside the load were not accepted`);
  return { figures: { 'p99 before ms': usual, 'p99 beside ms': then, times: then / usual }, broken };
};

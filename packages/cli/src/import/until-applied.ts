import { setTimeout as sleep } from 'node:timers/promises';
import type { TrackClient } from './track-client.ts';

const waitMs = 600_000;
const askEveryMs = 250;

/** Waits until everything that was accepted before is applied; `unknown` when the key may not ask. */
export const untilApplied = async (
  client: TrackClient,
  signal: AbortSignal,
  ms = waitMs,
): Promise<boolean | 'unknown'> => {
  for (const end = Date.now() + ms; Date.now() < end && !signal.aborted; await sleep(askEveryMs)) {
    const applied = await client.isAllApplied();
    if (applied === undefined) return 'unknown';
    if (applied) return true;
  }
  return false;
};

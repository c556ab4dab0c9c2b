/** Asks again what is not known yet, and waits for the end of a rate limit; what failed is repeated by the client. */
import { setTimeout as sleep } from 'node:timers/promises';
import { failed } from '../result.ts';
import type { ClientOptions } from './client-options.ts';

export const askEveryMs = 250;

/** The person pressed Ctrl-C. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted');
    this.name = 'Interrupted';
  }
}

const pauseUnless = async (signal: AbortSignal, ms: number): Promise<void> => {
  if (ms <= 0 && !signal.aborted) return;
  await sleep(ms, undefined, { signal }).catch(() => {
    throw new Interrupted();
  });
};

/** Waits of an import, which end with its patience. */
export const createPatience = ({ url, giveUpAfterMs, signal }: ClientOptions) => {
  const pause = (ms: number): Promise<void> => pauseUnless(signal, ms);

  const giveUp = (why: string) =>
    failed(
      `${new URL(url).host} has not taken a request for ${Math.round(giveUpAfterMs / 1000)} s (${why}). Is it up? curl ${url}/health/ready tells.`,
    );

  /** Asks again until there is an answer; `false` is none yet. */
  const until = async <Found>(ask: () => Promise<Found | false>): Promise<Found> => {
    for (const end = Date.now() + giveUpAfterMs; ; await pause(askEveryMs)) {
      const found = await ask();
      if (found !== false) return found;
      if (Date.now() > end) throw giveUp('what it has taken is not applied');
    }
  };

  return { pause, giveUp, until };
};

export type Patience = ReturnType<typeof createPatience>;

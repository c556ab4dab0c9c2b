/** A request until it is answered: the client repeats it, for as long as there is patience. */
import type { Pause } from '@roster/client';
import type { Answer } from './answer.ts';
import { type Attempt, type Door, reasonOf, type Sending } from './attempt.ts';
import type { ClientOptions } from './client-options.ts';
import { Interrupted, type Patience } from './patience.ts';

export type Answered = Attempt & { answer: Answer };

/** Adds up what the pauses of one request cost; throws when that is more than there is patience for. */
const createTally = ({ giveUpAfterMs }: ClientOptions, { giveUp }: Patience) => {
  const began = Date.now();
  /** Pauses that a rate limit asked for do not count. */
  let limitedMs = 0;
  return ({ error, ms }: Pause): void => {
    const isLimited = error.status === 429;
    const lostMs = Date.now() - began - limitedMs + (isLimited ? 0 : ms);
    if (lostMs > giveUpAfterMs) throw giveUp(reasonOf(error));
    if (isLimited) limitedMs += ms;
  };
};

export const createInsist = (door: Door, options: ClientOptions, patience: Patience) => {
  const { signal, onPause } = options;
  /** A rate limit holds for all requests: none begins before it is over. */
  let notBefore = 0;

  return async (sending: Sending): Promise<Answered> => {
    await patience.pause(notBefore - Date.now());
    const count = createTally(options, patience);
    const paused = (pause: Pause): void => {
      count(pause);
      if (pause.error.status === 429) notBefore = Math.max(notBefore, Date.now() + pause.ms);
      onPause?.(pause.ms, reasonOf(pause.error));
    };
    const retries = { retryFor: Number.POSITIVE_INFINITY, pauseSignal: signal, onPause: paused };
    const { answer, ...attempt } = await door.post(sending, retries).catch((error: unknown) => {
      throw signal.aborted && error === signal.reason ? new Interrupted() : error;
    });
    if (!answer) throw patience.giveUp('no answer');
    return { ...attempt, answer };
  };
};

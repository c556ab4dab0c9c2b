/** Sends batches to the end: counted, retried, shown to the person. For `roster import` and `roster demo`. */
import type { Watched } from '../person.ts';
import { type Progress, rowWords } from '../progress.ts';
import type { Batch } from './batches.ts';
import { type PumpOptions, pump } from './pump.ts';
import { lackOf, type Sent } from './sent.ts';
import type { Target } from './target.ts';
import { added, noTotals, type Totals } from './totals.ts';
import { createTrackClient } from './track-client.ts';

export interface DeliveryOptions extends Pick<PumpOptions, 'concurrency' | 'run' | 'isWaiting'> {
  target: Target;
  giveUpAfterMs: number;
  /** Of an earlier run. */
  totals?: Totals | undefined;
}

const longPauseMs = 3_000;

const createPauseNotes = (progress: Progress) => {
  let notedAt = 0;
  return (ms: number, why: string): void => {
    if (ms < longPauseMs || Date.now() - notedAt < longPauseMs) return;
    notedAt = Date.now();
    progress.note(`waiting ${Math.ceil(ms / 1000)} s: ${why}`);
  };
};

/** Written once, at the beginning: an import may take hours. */
const createLackNotes = (progress: Progress) => {
  const noted = new Set<string>();
  return ({ leftOut }: Sent): void => {
    for (const name of leftOut) {
      const lack = noted.has(name) ? undefined : lackOf(name);
      if (lack) progress.note(`${name}: left out, for ${lack.reason}; ${lack.remedy}.`);
      noted.add(name);
    }
  };
};

export const createDelivery = (
  { progress, stop }: Watched,
  { target, giveUpAfterMs, totals: before = noTotals(), ...options }: DeliveryOptions,
) => {
  const onPause = createPauseNotes(progress);
  const client = createTrackClient({ ...target, giveUpAfterMs, signal: stop.signal, onPause });
  const noteLacks = createLackNotes(progress);
  let totals = before;
  return {
    totals: (): Totals => totals,
    /** `told` returns the finished part, where it is known. `false`: it was stopped before its end. */
    send: (batches: AsyncIterable<Batch>, told: (batch: Batch, sent: Sent) => number | undefined) =>
      pump(batches, {
        ...options,
        client,
        stop,
        told(batch, sent) {
          totals = added(totals, batch, sent);
          noteLacks(sent);
          progress.show(told(batch, sent), rowWords(totals, before.rows));
        },
      }),
    /** Whether everything that was accepted has been applied. */
    untilApplied: client.untilApplied,
  };
};

export type Delivery = ReturnType<typeof createDelivery>;

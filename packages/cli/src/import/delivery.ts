/** Sends batches to the end: counted, retried, shown to the person. For `roster import` and `roster demo`. */
import type { Watched } from '../person.ts';
import { type Progress, rowWords } from '../progress.ts';
import type { Batch } from './batches.ts';
import { type PumpOptions, pump } from './pump.ts';
import type { Sent } from './sent.ts';
import type { Target } from './target.ts';
import { added, noTotals, type Totals } from './totals.ts';
import { createTrackClient, type TrackClient } from './track-client.ts';

/** The server, or what answers in its place. */
type Receiver = { target: Target; giveUpAfterMs: number; client?: undefined } | { client: TrackClient };

interface Delivering extends Pick<PumpOptions, 'concurrency' | 'run' | 'isWaiting'> {
  /** Of an earlier run. */
  totals?: Totals | undefined;
}

const longPauseMs = 3_000;
const mostNotes = 20;

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
    for (const { name, reason } of leftOut) {
      if (noted.has(name) || noted.size >= mostNotes) continue;
      progress.note(`${name}: left out: ${reason}.`);
      noted.add(name);
    }
  };
};

export type DeliveryOptions = Delivering & Receiver;

const clientOf = ({ progress, stop }: Watched, receiver: Receiver) => {
  if (receiver.client) return { untilApplied: async () => true, ...receiver.client };
  const { target, giveUpAfterMs } = receiver;
  const onPause = createPauseNotes(progress);
  return createTrackClient({ ...target, giveUpAfterMs, signal: stop.signal, onPause });
};

export const createDelivery = (watched: Watched, options: DeliveryOptions) => {
  const { progress, stop } = watched;
  const { totals: before = noTotals(), concurrency, run, isWaiting = false } = options;
  const client = clientOf(watched, options);
  const noteLacks = createLackNotes(progress);
  // The state of an earlier version has fewer of them.
  let totals = { ...noTotals(), ...before };
  return {
    totals: (): Totals => totals,
    /** `told` returns the finished part, where it is known. `false`: it was stopped before its end. */
    send: (batches: AsyncIterable<Batch>, told: (batch: Batch, sent: Sent) => number | undefined) =>
      pump(batches, {
        ...{ client, concurrency, run, isWaiting },
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

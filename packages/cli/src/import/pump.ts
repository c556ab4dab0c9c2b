/** Keeps a few requests under way at once, and reports the batches in the order of the file. */

import { isRecord } from '../json.ts';
import type { Batch } from './batches.ts';
import { createPeopleOrder } from './people-order.ts';
import { type Sent, sendBatch } from './send-batch.ts';
import type { TrackClient } from './track-client.ts';

export interface PumpOptions {
  client: TrackClient;
  concurrency: number;
  run?: string | undefined;
  /** Whether to wait for the result of every entry. */
  isWaiting?: boolean;
  /** Stops the reading and all waiting. The first failure sets it off too. */
  stop: AbortController;
  told(batch: Batch, sent: Sent): void;
}

/** The bound of answered batches before the slowest one: they are kept in memory until they can be reported. */
const aheadAtMost = 16;

/** Reading or a pause was ended. */
const isInterruption = (error: unknown, { signal }: AbortController): boolean =>
  signal.aborted && isRecord(error) && error.name === 'AbortError';

/** Batches are answered in any order, and reported in the order of the file: an early one waits for those before it. */
const inFileOrder = (told: PumpOptions['told']) => {
  const answered = new Map<number, [Batch, Sent]>();
  let next = 0;
  return {
    next: () => next,
    done(batch: Batch, sent: Sent): void {
      answered.set(batch.index, [batch, sent]);
      for (let ready = answered.get(next); ready; ready = answered.get(next)) {
        answered.delete(next++);
        told(...ready);
      }
    },
  };
};

/** Resolves when everything that was begun has ended: `false` when it was stopped before its end. */
export const pump = async (batches: AsyncIterable<Batch>, options: PumpOptions): Promise<boolean> => {
  const { client, concurrency, run, isWaiting = false, stop, told } = options;
  const people = createPeopleOrder();
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const report = inFileOrder(told);
  let isWhole = true;

  const fail = (error: unknown): void => {
    isWhole = false;
    if (!isInterruption(error, stop)) failures.push(error);
    stop.abort();
  };
  const send = async (batch: Batch): Promise<void> => {
    people.begin(batch);
    try {
      report.done(batch, await sendBatch(batch, { client, isWaiting, ...(run !== undefined && { run }) }));
    } catch (error) {
      fail(error);
    } finally {
      people.end(batch);
    }
  };
  const mayGo = (batch: Batch): boolean =>
    underWay.size < concurrency &&
    batch.index - report.next() < aheadAtMost * concurrency &&
    people.mayGo(batch);

  const read = async (): Promise<void> => {
    for await (const batch of batches) {
      while (!stop.signal.aborted && underWay.size > 0 && !mayGo(batch)) await Promise.race(underWay);
      if (stop.signal.aborted) {
        isWhole = false;
        return;
      }
      const sending = send(batch).finally(() => underWay.delete(sending));
      underWay.add(sending);
    }
  };
  await read().catch(fail);
  await Promise.all(underWay);
  if (failures.length > 0) throw failures[0];
  return isWhole;
};

/** Keeps a few requests under way at once, and tells what became of the batches in the order of the file. */

import { isRecord } from '../json.ts';
import type { Batch } from './batches.ts';
import { createPeopleOrder } from './people-order.ts';
import { type Sent, sendBatch } from './send-batch.ts';
import { Interrupted, type TrackClient } from './track-client.ts';

export interface PumpOptions {
  client: TrackClient;
  concurrency: number;
  run?: string | undefined;
  /** Whether it is to be known of every entry what became of it. */
  isWaiting?: boolean;
  /** Stops the reading, and whoever only waits. Set off by the first failure too. */
  stop: AbortController;
  told(batch: Batch, sent: Sent): void;
}

/** How far the fastest may be ahead of the slowest: what is answered and cannot be told yet is kept in memory. */
const aheadAtMost = 16;

const isInterruption = (error: unknown, { signal }: AbortController): boolean =>
  error instanceof Interrupted || (signal.aborted && isRecord(error) && error.name === 'AbortError');

/** Comes back when everything that was begun has ended: `false` when it was stopped before its end. */
export const pump = async (batches: AsyncIterable<Batch>, options: PumpOptions): Promise<boolean> => {
  const { client, concurrency, run, isWaiting = false, stop, told } = options;
  const people = createPeopleOrder();
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  /** Batches are answered in any order, and told in the order of the file: those that wait for an earlier one. */
  const answered = new Map<number, [Batch, Sent]>();
  let next = 0;
  let isWhole = true;

  const done = (batch: Batch, sent: Sent): void => {
    answered.set(batch.index, [batch, sent]);
    for (let ready = answered.get(next); ready; ready = answered.get(next)) {
      answered.delete(next++);
      told(...ready);
    }
  };

  const fail = (error: unknown): void => {
    isWhole = false;
    if (!isInterruption(error, stop)) failures.push(error);
    stop.abort();
  };
  const send = async (batch: Batch): Promise<void> => {
    people.begin(batch);
    try {
      done(batch, await sendBatch(batch, { client, isWaiting, ...(run !== undefined && { run }) }));
    } catch (error) {
      fail(error);
    } finally {
      people.end(batch);
    }
  };
  const mayGo = (batch: Batch): boolean =>
    underWay.size < concurrency && batch.index - next < aheadAtMost * concurrency && people.mayGo(batch);

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

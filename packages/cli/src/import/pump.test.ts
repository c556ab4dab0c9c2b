import { setTimeout as sleep } from 'node:timers/promises';
import { createSignal } from '@roster/testkit';
import type { Answer } from './answer.ts';
import type { Batch } from './batches.ts';
import { type PumpOptions, pump } from './pump.ts';
import { aBatch, ok } from './testbed.ts';
import type { TrackClient } from './track-client.ts';

const batchOf = (index: number, id = String(index)): Batch =>
  aBatch([['attributes', { external_id: id }]], { index });
async function* stream(batches: Batch[], read: { count: number } = { count: 0 }) {
  for (const batch of batches) {
    read.count++;
    yield batch;
  }
}
const clientOf = (answer: (json: string) => Promise<Answer>): TrackClient => ({
  send: ({ json }) => answer(json),
  known: async () => () => true,
  may: async () => true,
});

const run = async (
  batches: AsyncIterable<Batch>,
  answer: (json: string) => Promise<Answer>,
  more: Partial<PumpOptions> = {},
) => {
  const told: number[] = [];
  const stop = new AbortController();
  const done = await pump(batches, {
    client: clientOf(answer),
    concurrency: 3,
    stop,
    told: ({ index }) => told.push(index),
    ...more,
  });
  return { done, told };
};

/** Requests that take a while, and how many were under way at once. */
const counting = (ms: () => number) => {
  let [now, most] = [0, 0];
  const track = async () => {
    most = Math.max(most, ++now);
    await sleep(ms());
    now--;
    return ok;
  };
  return { most: () => most, track };
};

const some = (count: number) => Array.from({ length: count }, (_, index) => batchOf(index));

describe('the pump', () => {
  it('has several under way, never more than allowed, and tells in the order of the file', async () => {
    const { most, track } = counting(() => Math.random() * 5);
    const { done, told } = await run(stream(some(20)), track);
    expect([done, most()]).toEqual([true, 3]);
    expect(told).toEqual(some(20).map(({ index }) => index));
  });

  it('sends the rows of one person one after the other', async () => {
    const { most, track } = counting(() => 2);
    await run(stream([0, 1, 2, 3].map((index) => batchOf(index, 'ada'))), track);
    expect(most()).toBe(1);
  });

  it('does not run far ahead of one that hangs', async () => {
    const read = { count: 0 };
    const mayEnd = createSignal();
    let first = true;
    const pumping = run(stream(some(500), read), async () => {
      if (first) {
        first = false;
        await mayEnd.given;
      }
      return ok;
    });
    await sleep(50);
    expect(read.count).toBeLessThan(60);
    mayEnd.give();
    expect((await pumping).told).toHaveLength(500);
  });

  it('waits for what is under way after a failure, tells what came before it, and throws', async () => {
    const told: number[] = [];
    let ended = 0;
    const pumping = run(
      stream(some(50)),
      async (json) => {
        if (json.includes('"2"')) throw new Error('no more');
        await sleep(10);
        ended++;
        return ok;
      },
      { told: ({ index }) => told.push(index) },
    );
    await expect(pumping).rejects.toThrow('no more');
    expect([told, ended]).toEqual([[0, 1], 2]);
  });

  it('throws what the reading throws, when the rest is done', async () => {
    const broken = async function* () {
      yield batchOf(0);
      throw new Error('the disk is gone');
    };
    await expect(run(broken(), async () => ok)).rejects.toThrow('the disk is gone');
  });

  it('stops when it is told to, and says that it is not done', async () => {
    const stop = new AbortController();
    const { done, told } = await run(
      stream(some(50)),
      async (json) => {
        if (json.includes('"4"')) {
          stop.abort();
          throw stop.signal.reason;
        }
        return ok;
      },
      { stop, concurrency: 1 },
    );
    expect([done, told]).toEqual([false, [0, 1, 2, 3]]);
  });
});

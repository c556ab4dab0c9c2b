/** Writes results soon after they come: what a process that dies has not written is unknown for ever. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lines } from '@roster/batch';
import { classify, type Store } from '@roster/store';
import { createWriteResults, type Result } from './write-results.ts';

const everyMs = 200;
const mostAtOnce = 500;

/** While MongoDB is away. After that the rows are given up as unknown, and what was sent is not known. */
const patienceMs = 10 * 60_000;
const pauseMs = 1000;

export const createResults = (store: Store, oneByOne: Lines) => {
  const write = createWriteResults(store);

  const writePatiently = async (results: readonly Result[]): Promise<void> => {
    const until = performance.now() + patienceMs;
    for (;;)
      try {
        await write(results);
        return;
      } catch (error) {
        if (classify(error) !== 'passing' || performance.now() > until) throw error;
        await sleep(pauseMs);
      }
  };

  return (lane: string) => {
    let waiting: Result[] = [];
    let last: Promise<void> = Promise.resolve();

    const flush = (): Promise<void> => {
      const some = waiting;
      waiting = [];
      if (some.length > 0) last = last.then(() => oneByOne(lane, () => writePatiently(some)));
      return last;
    };
    // What fails is told at the end.
    const timer = setInterval(() => void flush().catch(() => {}), everyMs);

    return {
      add(result: Result): void {
        waiting.push(result);
        if (waiting.length >= mostAtOnce) void flush().catch(() => {});
      },
      end(): Promise<void> {
        clearInterval(timer);
        return flush();
      },
    };
  };
};

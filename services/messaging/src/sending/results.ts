/** What became of those who were sent to, until it is written: of a lane one transaction at a time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { chunks, type Lines } from '@roster/batch';
import { classify, type Store, TransactionTooLong } from '@roster/store';
import type { Sent } from './send-one.ts';
import { createWriteResults } from './write-results.ts';

/** Results are written soon after they come: what a process that dies has not written is unknown for ever. */
const everyMs = 200;
const mostAtOnce = 500;

/** While MongoDB is away. After that the rows are given up as unknown, and what was sent is not known. */
const patienceMs = 10 * 60_000;
const pauseMs = 1000;

type Write = (results: readonly Sent[]) => Promise<void>;

/** What comes while one transaction is written is the next one, whichever turn it is of: with a slow MongoDB each takes the time of many messages. */
const createLane = (inLine: (work: () => Promise<void>) => Promise<void>, write: Write) => {
  let waiting: Sent[] = [];
  let asked: Promise<void> | undefined;
  let under: Promise<void> | undefined;

  const writeAll = async (): Promise<void> => {
    const all = waiting;
    [waiting, under, asked] = [[], asked, undefined];
    try {
      for (const some of chunks(all, mostAtOnce)) await write(some);
    } finally {
      under = undefined;
    }
  };

  return {
    /** Gives how many wait. */
    add: (result: Sent): number => waiting.push(result),
    /** Whatever has come until now. */
    async written(): Promise<void> {
      if (waiting.length > 0) asked ??= inLine(writeAll);
      await Promise.all([under, asked]);
    },
    isIdle: (): boolean => waiting.length === 0 && !under && !asked,
  };
};

/** For each turn of a lane. */
export const createResults = (store: Store, oneByOne: Lines) => {
  const write = createWriteResults(store);

  const halves = async (results: readonly Sent[], until: number): Promise<void> => {
    const middle = Math.ceil(results.length / 2);
    await writePatiently(results.slice(0, middle), until);
    await writePatiently(results.slice(middle), until);
  };

  const writePatiently = async (
    results: readonly Sent[],
    until = performance.now() + patienceMs,
  ): Promise<void> => {
    for (;;)
      try {
        await write(results);
        return;
      } catch (error) {
        if (error instanceof TransactionTooLong && results.length > 1) return halves(results, until);
        if (classify(error) !== 'passing' || performance.now() > until) throw error;
        await sleep(pauseMs);
      }
  };

  const lanes = new Map<string, ReturnType<typeof createLane>>();
  const open = (name: string) =>
    createLane(
      (work) => oneByOne(name, work),
      (some) => writePatiently(some),
    );

  return (name: string) => {
    const lane = lanes.get(name) ?? open(name);
    lanes.set(name, lane);
    let last: Promise<unknown> = Promise.resolve();
    const flush = (): void => {
      last = Promise.all([last, lane.written()]);
      // What fails is told at the end.
      last.catch(() => {});
    };
    const timer = setInterval(flush, everyMs);

    return {
      add(result: Sent): void {
        if (lane.add(result) >= mostAtOnce) flush();
      },
      async end(): Promise<void> {
        clearInterval(timer);
        flush();
        await last.finally(() => lane.isIdle() && lanes.delete(name));
      },
    };
  };
};

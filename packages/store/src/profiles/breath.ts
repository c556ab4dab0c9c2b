/** Splits long work, so that other work gets the event loop in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

export type Breath = () => Promise<void> | undefined;

const shortStrideMs = 5;

/**
 * Called after each small step; it nearly always returns at once. Pieces of work that share it share its strides too: a hundred side by side
 * keep the event loop no longer than one does.
 */
export const createBreath = (strideMs = shortStrideMs): Breath => {
  let until = performance.now() + strideMs;
  let resting: Promise<void> | undefined;
  const rest = async (): Promise<void> => {
    await nextTurn();
    until = performance.now() + strideMs;
    resting = undefined;
  };
  return () => {
    if (performance.now() < until) return undefined;
    resting ??= rest();
    return resting;
  };
};

/** Work that stops after each small piece. */
export const inStrides = async <Result>(work: Generator<void, Result>, breath: Breath): Promise<Result> => {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    const rest = breath();
    if (rest) await rest;
  }
};

/** Converts every document of a cursor. */
export const eachOf = async <Document, Wanted>(
  documents: AsyncIterable<Document>,
  breath: Breath,
  wanted: (document: Document) => Wanted,
): Promise<Wanted[]> => {
  const all: Wanted[] = [];
  for await (const document of documents) {
    all.push(wanted(document));
    const rest = breath();
    if (rest) await rest;
  }
  return all;
};

/** Takes every item of what comes in batches. */
export const takeEach = async <One>(
  batches: AsyncIterable<readonly One[]>,
  breath: Breath,
  take: (one: One) => void,
): Promise<void> => {
  for await (const batch of batches)
    for (const one of batch) {
      take(one);
      const rest = breath();
      if (rest) await rest;
    }
};

/** Work on many things, with a breath in between. */
import type { Breath } from './breath.ts';

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

/** Takes every item of some batches. */
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

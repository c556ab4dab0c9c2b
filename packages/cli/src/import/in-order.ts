/** Batches are answered in any order; what is told on is told in the order of the file. */

export interface InOrder<Done> {
  done(index: number, what: Done): void;
  /** The first that is still missing. */
  next(): number;
}

export const createInOrder = <Done>(told: (what: Done) => void): InOrder<Done> => {
  const waiting = new Map<number, Done>();
  let next = 0;
  return {
    done(index, what) {
      waiting.set(index, what);
      for (let ready = waiting.get(next); ready !== undefined; ready = waiting.get(next)) {
        waiting.delete(next++);
        told(ready);
      }
    },
    next: () => next,
  };
};

/** Work that goes on while its caller prepares the next: one at a time, in order. After a failure no other begins. */
export interface Behind {
  /** Ends when the work before has ended. */
  start(work: () => Promise<void>): Promise<void>;
  /** Fails as the work did. */
  ended(): Promise<void>;
}

export const createBehind = (): Behind => {
  let last = Promise.resolve();
  return {
    async start(work) {
      await last;
      last = work();
      // The next one to wait for it hears of its failure.
      last.catch(() => {});
    },
    ended: () => last,
  };
};

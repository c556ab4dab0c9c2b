/** Work that goes on while its caller prepares the next: one at a time, in order. After a failure no other begins. */
export const createBehind = () => {
  let last = Promise.resolve();
  return {
    /** Ends when the work before has ended. */
    async start(work: () => Promise<void>): Promise<void> {
      await last;
      last = work();
      // The next one to wait for it hears of its failure.
      last.catch(() => {});
    },
    /** Fails as the work did. */
    ended: () => last,
  };
};

export type Behind = ReturnType<typeof createBehind>;

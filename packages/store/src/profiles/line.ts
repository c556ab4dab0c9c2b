/** Runs tasks one after the other, in the order in which they came. */
export const createLine = () => {
  let last: Promise<unknown> = Promise.resolve();
  let inLine = 0;
  return {
    isFree: () => inLine === 0,
    async wait<Result>(work: () => Promise<Result>): Promise<Result> {
      inLine += 1;
      const mine = last.then(work, work).finally(() => {
        inLine -= 1;
      });
      last = mine.catch(() => {});
      return mine;
    },
  };
};

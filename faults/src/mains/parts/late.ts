import { createBatchWorker } from '@roster/queue';

/** One of so many turns begins late: requests that were accepted after those of the turn are applied before them. */
export const lateInOneOf =
  (turns: number, ms: number): typeof createBatchWorker =>
  (options) => {
    let turn = 0;
    return createBatchWorker({
      ...options,
      async apply(...about) {
        if (++turn % turns === 0) await new Promise((resolve) => setTimeout(resolve, ms));
        return options.apply(...about);
      },
    });
  };

/** One at a time, in the order of their coming. */
let last: Promise<void> = Promise.resolve();
let waiting = 0;

/** What waits for an end that may not come before it is aborted. */
const unlessAborted = async (work: Promise<void>, signal: AbortSignal): Promise<void> => {
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
  });
  try {
    signal.throwIfAborted();
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

export const isWaitedFor = (): boolean => waiting > 0;

/** Its result ends the turn. */
export const takeTurn = async (signal: AbortSignal): Promise<() => void> => {
  const before = last;
  let done = (): void => {};
  last = new Promise((resolve) => {
    done = resolve;
  });
  waiting += 1;
  try {
    await unlessAborted(before, signal);
    return done;
  } catch (error) {
    void before.then(done);
    throw error;
  } finally {
    waiting -= 1;
  }
};

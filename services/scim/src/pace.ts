/** Resolves at once while the slice lasts, else after the event loop has turned. */
export type Pace = () => Promise<void> | void;

/**
 * One for a process: all requests share one slice of the event loop, so a hundred requests side by side block the loop no longer than
 * one does.
 */
export const createPace = (sliceMs: number, now = () => performance.now()): Pace => {
  let since = now();
  let turned: Promise<void> | undefined;

  const nextTurn = (): Promise<void> =>
    new Promise((resolve) =>
      setImmediate(() => {
        since = now();
        turned = undefined;
        resolve();
      }),
    );

  return () => {
    if (now() - since < sliceMs) return;
    turned ??= nextTurn();
    return turned;
  };
};

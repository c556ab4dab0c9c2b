/** Ctrl-C: the first stops the work in order, the second ends the process. */
import type { Io } from './io.ts';

/** npm passes on a Ctrl-C that the terminal has sent already. */
const sameKeypressMs = 1_000;
const signals = ['SIGINT', 'SIGTERM'] as const;
const killed = 130;

/**
 * The first Ctrl-C ends the work in order, a second one at once. Returns a function that stops listening, after a second if
 * one was heard: the same keypress, passed on while the work ends in order, would kill the process and take its exit code.
 */
export const onInterrupt = (io: Io, stop: AbortController): (() => void) => {
  let first = 0;
  const heard = (): void => {
    if (first && Date.now() - first > sameKeypressMs) process.exit(killed);
    if (first) return;
    first = Date.now();
    io.err('\nStopping: what is under way is finished first. Ctrl-C again leaves at once.\n');
    stop.abort();
  };
  for (const signal of signals) process.on(signal, heard);
  const quiet = (): void => {
    for (const signal of signals) process.off(signal, heard);
  };
  return () => {
    if (first) setTimeout(quiet, sameKeypressMs).unref();
    else quiet();
  };
};

/** Work that the first Ctrl-C ends in order. */
export const interruptible = async <Done>(
  io: Io,
  work: (stop: AbortController) => Promise<Done>,
): Promise<Done> => {
  const stop = new AbortController();
  const quiet = onInterrupt(io, stop);
  try {
    return await work(stop);
  } finally {
    quiet();
  }
};

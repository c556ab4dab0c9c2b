/** The person at the terminal: their screen, and their Ctrl-C. */
import type { Io } from './io.ts';
import { createProgress, type Progress, type Terminal } from './progress.ts';

/** A bar only where it can be drawn; in a log it would be one long line. */
const terminalOf = (io: Io): Terminal => {
  const { TERM, CI } = io.env;
  return {
    write: io.err,
    isTty: Boolean(process.stderr.isTTY && TERM && TERM !== 'dumb' && !CI),
    columns: process.stderr.columns || 80,
    now: Date.now,
  };
};

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
  let isOver = false;
  const heard = (): void => {
    if (first && !isOver && Date.now() - first > sameKeypressMs) process.exit(killed);
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
    isOver = true;
    if (first) setTimeout(quiet, sameKeypressMs).unref();
    else quiet();
  };
};

/** Work with a progress line, which is cleared at its end. */
export const withProgress = async <Done>(
  io: Io,
  work: (progress: Progress) => Promise<Done>,
): Promise<Done> => {
  const progress = createProgress(terminalOf(io));
  try {
    return await work(progress);
  } finally {
    progress.end();
  }
};

/** What long work tells the person, and how the person ends it. */
export interface Watched {
  progress: Progress;
  /** Set off by the first Ctrl-C, or by the first failure. */
  stop: AbortController;
  /** Since it began. */
  seconds(): number;
}

/** Work that the first Ctrl-C ends in order. */
export const watched = <Done>(io: Io, work: (watched: Watched) => Promise<Done>): Promise<Done> =>
  withProgress(io, async (progress) => {
    const [stop, began] = [new AbortController(), Date.now()];
    const quiet = onInterrupt(io, stop);
    try {
      return await work({ progress, stop, seconds: () => (Date.now() - began) / 1000 });
    } finally {
      quiet();
    }
  });

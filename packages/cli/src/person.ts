/** The terminal of the person who runs a command. */
import type { Io } from './io.ts';
import type { Terminal } from './progress.ts';

/** A bar only where it can be drawn; in a log it would be one long line. */
export const terminalOf = (io: Io): Terminal => {
  const { TERM, CI } = io.env;
  return {
    write: io.err,
    isTty: Boolean(process.stderr.isTTY && TERM && TERM !== 'dumb' && !CI),
    columns: process.stderr.columns || 80,
    now: Date.now,
  };
};

import type { Io } from './io.ts';
import type { Result } from './result.ts';
import type { Servers } from './servers.ts';

/** The tools of a command. */
export interface Tools {
  io: Io;
  servers: Servers;
}

/** Turns a function that returns a Result into one for commander. */
export type Act = <Args extends unknown[]>(
  work: (tools: Tools, ...args: Args) => Promise<Result> | Result,
) => (...args: Args) => Promise<void>;

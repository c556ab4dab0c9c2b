import type { Io } from './io.ts';
import type { Result } from './result.ts';
import type { Servers } from './servers.ts';

/** What a command works with. */
export interface Tools {
  io: Io;
  servers: Servers;
}

/** Turns a function that comes to a Result into what commander calls. */
export type Act = <Args extends unknown[]>(
  work: (tools: Tools, ...args: Args) => Promise<Result> | Result,
) => (...args: Args) => Promise<void>;

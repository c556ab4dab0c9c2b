/** A start that can be given up: everything that it waits for hears of it. */
import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<AbortSignal | undefined>();

/** The abort of the signal ends the waits and the commands of this work. */
export const untilAborted = <T>(signal: AbortSignal | undefined, work: () => T): T =>
  current.run(signal, work);

/** The signal of the work that asks. */
export const givingUp = (): AbortSignal | undefined => current.getStore();

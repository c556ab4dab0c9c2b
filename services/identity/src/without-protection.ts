/**
 * Negative controls for the fault tests: the service without one of its protections. A test that passes with these proves nothing.
 * Nothing else may use them.
 */
import type { Gate } from '@roster/queue';
import type { Session, Transact } from '@roster/store';
import type { Sweeper } from './sweeper.ts';

/** Waits for no request accepted before. */
export const withoutFence: Gate = async (requests) => new Set(requests.map(({ id }) => id));

/** Reads, then writes, without noticing a change in between. */
export const withoutTransaction: Transact = (work) => work(undefined as unknown as Session, 0);

/** Deleted people are invisible, and all their documents stay. */
export const withoutSweeps = (): Sweeper => ({
  nudge: () => {},
  once: async () => {},
  stop: async () => {},
});

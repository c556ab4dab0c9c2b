/**
 * Negative controls for the fault tests: the service without one of its protections. A test that passes with these proves nothing.
 * Nothing else may use them.
 */
import type { Gate } from '@roster/queue';
import type { Session, Transact } from '@roster/store';
import type { Sweeper } from './sweeper.ts';

/** Nothing waits for what was accepted before. */
export const withoutFence: Gate = async (requests) => new Set(requests.map(({ id }) => id));

/** Reads, then writes, one thing after the other; whoever comes in between is not noticed. */
export const withoutTransaction: Transact = (work) => work(undefined as unknown as Session, 0);

/** Whoever is deleted can't be seen any more, and everything of them stays. */
export const withoutSweeps = (): Sweeper => ({
  nudge: () => {},
  once: async () => {},
  stop: async () => {},
});

/** A transaction loads whatever it is asked to. */
export { noLoadLimits } from '@roster/store';

import type { Setting } from '../bench.ts';
import type { People } from './bodies.ts';

/** Everybody is there afterwards, and nothing waits. */
export const introduce = async ({ system, load }: Setting, people: People): Promise<void> => {
  await load({ connections: 32, load: { kind: 'arrivals', people } });
  await system.quiet();
};

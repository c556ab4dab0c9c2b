import type { Setting } from '../bench.ts';
import type { People } from './bodies.ts';

/** Everybody is there afterwards, and nothing waits; those before `from` were there already. */
export const introduce = async ({ system, load }: Setting, people: People, from = 0): Promise<void> => {
  await load({ connections: 32, load: { kind: 'arrivals', people, from } });
  await system.quiet();
};

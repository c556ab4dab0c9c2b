import type { Trial } from './fault.ts';

/** Far beyond what any machine needs: past it something stands still. */
const generousMs = 600_000;

/** How long a trial waits for what it judges. One that only counts must not fail because its machine is slow. */
export const patienceOf = ({ counting }: Pick<Trial, 'counting'>, usualMs: number): number =>
  counting ? generousMs : usualMs;

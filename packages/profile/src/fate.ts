/** What became of the people who had an identifier, each for the requests of its time. */
import type { Stamp } from './profile.ts';

/** Requests stamped up to `at` don't find the person any more: they follow to the service id `to`, or, without one, are too late. */
export interface Fate {
  at: Stamp;
  to?: string;
  /** Only what `identify` takes over without a merge goes there. */
  part?: true;
}

/** A fate that is new. */
export interface Ending extends Fate {
  /** A service id: whoever had it, nobody else ever will. */
  forGood?: true;
  /** An external id or alias whose owner was deleted: the service ids of the owner, those of people merged into them included. */
  of?: readonly string[];
}

/** The fate that a request of this stamp shares; `undefined`: it starts afresh. Fates come oldest first. */
export const fateAt = (fates: readonly Fate[], at: Stamp): Fate | undefined =>
  fates.find((fate) => at <= fate.at);

/** Of more, the oldest are forgotten. */
export const mostFates = 17;

export const fateIn = ({ at, to, part }: Fate): Fate => ({
  at,
  ...(to !== undefined && { to }),
  ...(part && { part }),
});

/** The way of an identifier with its people, up to those who were deleted, is over with them. */
const beforeOf = (fates: readonly Fate[], of: readonly string[]): readonly Fate[] =>
  fates.slice(0, fates.findLastIndex(({ to }) => to === undefined || !of.includes(to)) + 1);

/**
 * A deletion stands under its own stamp, which may be older than what became of the identifier before: its last owner got it after the
 * deletion was accepted. What was said of it up to then is about those who had it before.
 */
export const withEnding = (fates: readonly Fate[], { forGood, of, ...ending }: Ending): Fate[] => {
  const fate = fateIn(ending);
  if (forGood) return [fate];
  const before = of ? beforeOf(fates, of) : fates;
  const last = before.at(-1);
  const isCovered = last !== undefined && fate.at <= last.at && (of !== undefined || last.to === undefined);
  if (isCovered) return [...before];
  const rest = last !== undefined && fate.at <= last.at ? before.slice(0, -1) : before;
  return [...rest, fate].slice(-mostFates);
};

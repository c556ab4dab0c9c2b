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
  /** A service id: it is given once and never again. */
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
 * Adds a fate. A deletion stands under its own stamp, which may be older than the last fate: then the deleted person got the identifier
 * after the deletion was accepted, and requests up to its stamp are about the owners before.
 */
export const withEnding = (fates: readonly Fate[], { forGood, of, ...ending }: Ending): Fate[] => {
  const fate = fateIn(ending);
  if (forGood) return [fate];
  const before = of ? beforeOf(fates, of) : fates;
  const last = before.at(-1);
  const isOlder = last !== undefined && fate.at <= last.at;
  if (isOlder && (of !== undefined || last.to === undefined)) return [...before];
  return [...(isOlder ? before.slice(0, -1) : before), fate].slice(-mostFates);
};

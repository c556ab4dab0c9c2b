/** The fates of an identifier: the results of the deletions and merges of its owners. Each holds for requests up to its stamp. */
import type { Stamp } from '../profile.ts';

/** Requests stamped up to `at` don't find the owner any more. With `to` they follow to that service id; without `to` they are too late. */
export interface Fate {
  at: Stamp;
  to?: string;
  /** `identify` without a merge: only the values that it takes over go to `to`. */
  part?: true;
}

export interface NewFate extends Fate {
  /** A service id: it is never given to another person. */
  forGood?: true;
  /** An external id or alias whose owner was deleted: the service ids of the owner, those of people merged into them included. */
  of?: readonly string[];
  /** When the claim of that owner began, if that is known. */
  since?: Stamp;
}

/** The fate for a request of this stamp; `undefined`: the request starts afresh. Fates come oldest first. */
export const fateAt = (fates: readonly Fate[], at: Stamp): Fate | undefined =>
  fates.find((fate) => at <= fate.at);

/** Of more, the oldest are forgotten. */
export const mostFates = 17;

export const fateIn = ({ at, to, part }: Fate): Fate => ({
  at,
  ...(to !== undefined && { to }),
  ...(part && { part }),
});

/** The deletion of people ends every fate that leads to them. */
const beforeOf = (fates: readonly Fate[], of: readonly string[]): readonly Fate[] =>
  fates.slice(0, fates.findLastIndex(({ to }) => to === undefined || !of.includes(to)) + 1);

/**
 * Fates of an identifier after the deletion of an owner whose claim began before the last fate. A merge had led to a person who was deleted,
 * so the identifier was free again. Earlier fates hold for requests before the claim; the others hold for requests after the deletion.
 */
const withDeletion = (before: readonly Fate[], fate: Fate, since: Stamp): Fate[] => {
  const older = before.filter(({ at }) => at < since);
  const other = before.find(({ at }) => at >= since);
  const later = before.filter(({ at }) => at > fate.at);
  return [...older, ...(other ? [{ ...other, at: since - 1 }] : []), fate, ...later];
};

/**
 * Adds a fate. A deletion is stored under its own stamp, which may be older than the last fate: the deleted person got the identifier after
 * the deletion was accepted. Then requests up to that stamp are about the owners before.
 */
export const withEnding = (fates: readonly Fate[], { forGood, of, since, ...ending }: NewFate): Fate[] => {
  const fate = fateIn(ending);
  if (forGood) return [fate];
  const before = of ? beforeOf(fates, of) : fates;
  if (of && since !== undefined && since <= fate.at)
    return withDeletion(before, fate, since).slice(-mostFates);
  const last = before.at(-1);
  const isOlder = last !== undefined && fate.at <= last.at;
  if (isOlder && (of !== undefined || last.to === undefined)) return [...before];
  return [...(isOlder ? before.slice(0, -1) : before), fate].slice(-mostFates);
};

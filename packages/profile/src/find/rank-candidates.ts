/** Ranks people who share an email or phone (api.md: /users/track rule 3). */
import type { Profile, Stamp } from '../profile.ts';

export interface RankCandidate extends Pick<Profile, '_id' | 'external_id' | 'updated_at'> {
  /** The last event or purchase; not needed when only one person has the identifier. */
  active_at?: Stamp;
}

export const lastUpdateOf = ({ updated_at, active_at = 0 }: RankCandidate): Stamp =>
  Math.max(updated_at, active_at);

const isIdentified = ({ external_id }: RankCandidate): number => (external_id === undefined ? 0 : 1);

/** People with an external id first, then the most recently updated; ties by service id. */
const byRank = (a: RankCandidate, b: RankCandidate): number =>
  isIdentified(b) - isIdentified(a) || lastUpdateOf(b) - lastUpdateOf(a) || (a._id < b._id ? -1 : 1);

/** The first of them, without sorting the others: every entry by a contact asks for it. */
export const foremost = <Some extends RankCandidate>(candidates: readonly Some[]): Some | undefined => {
  let best = candidates[0];
  for (const one of candidates) if (best && byRank(one, best) < 0) best = one;
  return best;
};

export const rankCandidates = <Some extends RankCandidate>(candidates: readonly Some[]): Some[] =>
  candidates.length < 2 ? [...candidates] : candidates.toSorted(byRank);

/** Who is meant when several people share an email or a phone (api.md: /users/track rule 3). */
import type { Stamp } from './profile.ts';

export interface Candidate {
  _id: string;
  external_id?: string;
  /** The last change to the profile. */
  updated_at: Stamp;
  /** The last event or purchase; when nobody shares the identifier, nobody asks for it. */
  active_at?: Stamp;
}

export const lastUpdateOf = ({ updated_at, active_at = 0 }: Candidate): Stamp =>
  Math.max(updated_at, active_at);

const isIdentified = ({ external_id }: Candidate): number => (external_id === undefined ? 0 : 1);

/** Those with an external id first, of them the one most recently updated; ties by service id. */
const byRank = (a: Candidate, b: Candidate): number =>
  isIdentified(b) - isIdentified(a) || lastUpdateOf(b) - lastUpdateOf(a) || (a._id < b._id ? -1 : 1);

/** The first of them, without putting the others in order: it is asked for with every entry that names an address. */
export const foremost = <Some extends Candidate>(candidates: readonly Some[]): Some | undefined => {
  let best = candidates[0];
  for (const one of candidates) if (best && byRank(one, best) < 0) best = one;
  return best;
};

export const rankCandidates = <Some extends Candidate>(candidates: readonly Some[]): Some[] =>
  candidates.length < 2 ? [...candidates] : candidates.toSorted(byRank);

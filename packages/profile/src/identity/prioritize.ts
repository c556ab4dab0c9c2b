/** Chooses between people who share a contact: each preference in turn leaves the people that it prefers. */

import { lastUpdateOf, type RankCandidate } from '../find/rank-candidates.ts';
import type { Stamp } from '../profile.ts';

export type Preference = 'identified' | 'unidentified' | 'most_recently_updated' | 'least_recently_updated';

/** Of more people, only those with the latest changes (or the earliest, if the preference says so) are compared. */
export const mostContenders = 100;

/** The last event or purchase of a person. */
type ActivityOf = (id: string) => Stamp;

const withExternalId = <Some extends RankCandidate>(all: readonly Some[], wanted: boolean): Some[] => {
  const preferred = all.filter(({ external_id }) => (external_id !== undefined) === wanted);
  return preferred.length > 0 ? preferred : [...all];
};

/** The latest first, or the earliest; ties by service id. */
const byUpdate =
  (direction: 1 | -1) =>
  (a: RankCandidate, b: RankCandidate): number =>
    direction * (lastUpdateOf(b) - lastUpdateOf(a)) || (a._id < b._id ? -1 : 1);

const firstByUpdate = <Some extends RankCandidate>(
  all: readonly Some[],
  direction: 1 | -1,
  activityOf: ActivityOf,
  most: number,
): Some[] => {
  const contenders = all.toSorted(byUpdate(direction)).slice(0, mostContenders);
  return contenders
    .map((one) => ({ ...one, active_at: activityOf(one._id) }))
    .toSorted(byUpdate(direction))
    .slice(0, most);
};

/** Needs the activity of people only when it decides between several. One person left is the choice; of several, the best come first. */
export const prioritized = <Some extends RankCandidate>(
  candidates: readonly Some[],
  preferences: readonly Preference[],
  activityOf: ActivityOf,
  most = 1,
): Some[] => {
  let left = [...candidates];
  for (const preference of preferences) {
    if (left.length < 2) break;
    if (preference === 'identified') left = withExternalId(left, true);
    else if (preference === 'unidentified') left = withExternalId(left, false);
    else left = firstByUpdate(left, preference === 'most_recently_updated' ? 1 : -1, activityOf, most);
  }
  return left;
};

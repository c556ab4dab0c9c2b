/** Chooses between people who share a contact: each preference in turn leaves the people that it prefers. */
import type { Profile, Stamp } from '../profile.ts';

export type Preference = 'identified' | 'unidentified' | 'most_recently_updated' | 'least_recently_updated';

/** Of more people, only those with the latest changes (or the earliest, if the preference says so) are compared. */
export const mostContenders = 100;

/** The members of a profile that preferences ask for. */
export type RankCandidate = Pick<Profile, '_id' | 'external_id' | 'updated_at'>;

/** The last event or purchase of a person. */
type ActivityOf = (id: string) => Stamp;

const withExternalId = <Some extends RankCandidate>(all: readonly Some[], wanted: boolean): Some[] => {
  const preferred = all.filter(({ external_id }) => (external_id !== undefined) === wanted);
  return preferred.length > 0 ? preferred : [...all];
};

interface Updated<Some extends RankCandidate> {
  one: Some;
  last: Stamp;
}

/** The latest first, or the earliest; ties by service id. */
const byUpdate =
  (direction: 1 | -1) =>
  (a: Updated<RankCandidate>, b: Updated<RankCandidate>): number =>
    direction * (b.last - a.last) || (a.one._id < b.one._id ? -1 : 1);

/** The first of them, without sorting the others: every entry by a contact asks for it. */
const foremost = <Some>(all: readonly Some[], order: (a: Some, b: Some) => number): Some[] => [
  all.reduce((best, one) => (order(one, best) < 0 ? one : best)),
];

/** How many are chosen, and how many are compared. */
interface Bounds {
  most?: number;
  contenders?: number;
}

const firstByUpdate = <Some extends RankCandidate>(
  all: readonly Some[],
  direction: 1 | -1,
  activityOf: ActivityOf,
  { most = 1, contenders = mostContenders }: Bounds,
): Some[] => {
  const order = byUpdate(direction);
  const changed = all.map((one) => ({ one, last: one.updated_at }));
  const compared = (changed.length > contenders ? changed.toSorted(order).slice(0, contenders) : changed).map(
    ({ one, last }) => ({ one, last: Math.max(last, activityOf(one._id)) }),
  );
  const first = most === 1 ? foremost(compared, order) : compared.toSorted(order).slice(0, most);
  return first.map(({ one }) => one);
};

/** Needs the activity of people only when it decides between several. One person left is the choice; of several, the best come first. */
export const prioritized = <Some extends RankCandidate>(
  candidates: readonly Some[],
  preferences: readonly Preference[],
  activityOf: ActivityOf,
  bounds: Bounds = {},
): Some[] => {
  let left = [...candidates];
  for (const preference of preferences) {
    if (left.length < 2) break;
    if (preference === 'identified') left = withExternalId(left, true);
    else if (preference === 'unidentified') left = withExternalId(left, false);
    else left = firstByUpdate(left, preference === 'most_recently_updated' ? 1 : -1, activityOf, bounds);
  }
  return left;
};

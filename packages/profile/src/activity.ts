/** The last event or purchase of people, up to the stamp of the entry that ranks them. */
import type { KnownPeople } from './known.ts';
import { knownOrNeeded, type PeopleNeeds, type PersonAt } from './needs.ts';
import type { Stamp } from './profile.ts';

export const personAtKey = ({ id, at }: PersonAt): string => `${at}:${id}`;

/** Each stamp takes queries of its own. For more of them in one batch the last activity counts. */
const mostEarlier = 500;

/** Times of events are milliseconds: of those in the same one as the entry, later ones cannot be told from earlier ones, so none counts. */
export const startOf = (at: Stamp): Stamp => Math.floor(at / 1000) * 1000;

type Known = Pick<KnownPeople, 'activity' | 'earlierActivity'>;
type Needs = Pick<PeopleNeeds, 'activity' | 'earlierActivity'>;

export const createActivityAt =
  (known: Known, needs: Needs) =>
  (id: string, at: Stamp): Stamp => {
    const last = knownOrNeeded(known.activity, needs.activity, id) ?? 0;
    if (last < startOf(at)) return last;
    const key = personAtKey({ id, at });
    const earlier = known.earlierActivity.get(key);
    if (earlier !== undefined) return earlier;
    if (known.earlierActivity.size + needs.earlierActivity.size < mostEarlier)
      needs.earlierActivity.set(key, { id, at });
    return last;
  };

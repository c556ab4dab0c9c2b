/** Chooses between people who share an email or phone. */
import type { Activity } from '../find/activity.ts';
import { type Holder, hadContact, hasContact, tookContact } from '../find/holders.ts';
import { mostContenders, type Preference, prioritized } from '../find/prioritize.ts';
import type { Profiles } from '../find/profiles.ts';
import type { Origin } from '../plan/item.ts';
import type { ContactHolders } from './contact-holders.ts';
import type { IdentityNeeds } from './known.ts';
import type { NamedPerson } from './request.ts';

const mostForeseen = 50;

const tooMany: FoundPerson = { reason: 'more_than_one_match' };

interface Choosing {
  needs: Pick<IdentityNeeds, 'activity'>;
  activityOf: Activity['activityOf'];
  peopleWith: ContactHolders['peopleWith'];
  profiles: Profiles;
}

export type IdentityReason =
  | 'no_such_user'
  | 'more_than_one_match'
  | 'same_user'
  | 'merged'
  | 'already_identified'
  | 'label_taken'
  | 'name_taken'
  | 'id_taken'
  | 'same_id'
  | 'not_primary'
  | 'primary'
  | 'deleted'
  | 'profile_full'
  | 'too_many_aliases'
  | 'too_many_ids'
  | 'too_much_to_load';

/** A person, the reason why there is none, or `unknown`: more has to be loaded first. */
export type FoundPerson = { id: string } | { reason: IdentityReason } | 'unknown';

export const notFound: FoundPerson = { reason: 'no_such_user' };

export const createChoice = ({ needs, activityOf, peopleWith, profiles }: Choosing) => {
  /** Later entries may be about the next people in rank. Loading these one at a time would take a round for each entry. */
  const foresee = (holders: readonly Holder[], preferences: readonly Preference[], first: Holder): void => {
    if (holders.length < 2 || profiles.isLoaded(first._id)) return;
    for (const { _id } of prioritized(holders, preferences, activityOf, { most: mostForeseen }))
      profiles.person(_id);
  };

  /**
   * Chooses between the people who had the contact when the request was accepted and still have it. Two changes at the same moment count as
   * earlier than this request: a person left the contact, or got it in a merge.
   */
  return ({ at }: Origin, key: string, { prioritization = [] }: NamedPerson): FoundPerson => {
    const [has, had, took] = [hasContact(key), hadContact(key, at), tookContact(key, at)];
    const holders = peopleWith(key)?.filter((one) => has(one) && (had(one) || took(one)));
    if (!holders) return 'unknown';
    const needed = needs.activity.size;
    const [first, ...more] = prioritized(holders, prioritization, activityOf);
    if (needs.activity.size > needed) {
      // When some of the contenders have gone, the people behind them become contenders.
      if (holders.length > mostContenders) for (const { _id } of holders) activityOf(_id);
      return 'unknown';
    }
    if (!first) return notFound;
    if (more.length > 0) return tooMany;
    foresee(holders, prioritization, first);
    return { id: first._id };
  };
};

export type Choose = ReturnType<typeof createChoice>;

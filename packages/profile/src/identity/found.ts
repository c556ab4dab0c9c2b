/** The result of a search for one person. */

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

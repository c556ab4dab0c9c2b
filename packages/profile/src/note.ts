/** The parts of an applied entry that were ignored, with the reason, for the outcome. */

export type NoteReason =
  /** The array is full: its oldest elements made room. */
  | 'array_full'
  | 'blocked_attribute'
  /** No object matches. */
  | 'no_match'
  /** An item of a list without the members that make its key. */
  | 'no_key'
  /** The change needs another kind of value than the stored one. */
  | 'not_a_number'
  | 'not_an_array'
  | 'not_an_array_of_objects'
  | 'not_an_object'
  /** The increment came to the end of 64 bits, and stopped there. */
  | 'out_of_range'
  /** The profile is too large for more of this. */
  | 'profile_full'
  /** The list is full: its oldest items made room. */
  | 'list_full'
  /** A late value after an `identify` without a merge, which does not take it over. */
  | 'not_merged'
  | 'too_large'
  /** The steps of the request need more work than one request may have. */
  | 'too_much_work'
  /** The people of the request are more than one request may load. */
  | 'too_much_to_load'
  | 'unknown_country'
  | 'unknown_language'
  | 'unknown_member'
  | 'unknown_time'
  | 'unknown_time_zone'
  /** Known, and without effect here. */
  | 'unsupported'
  | 'wrong_type';

export interface Note {
  field: string;
  reason: NoteReason;
}

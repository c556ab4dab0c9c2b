/** An entry that was accepted without effect: failed or ignored. */
import type { Answer, Fate } from './answer.ts';
import type { Fault } from './row.ts';

/** The result of an entry without its intended effect. */
export interface Mishap extends Fault {
  /** Why it was ignored; otherwise it was refused. */
  reason?: string;
}

/** The meaning of a reason in an outcome; other reasons are shown as they are. */
const ignored: Readonly<Record<string, string>> = {
  no_such_user: 'no person has this identifier, and such an entry creates none',
  deleted: 'the person was deleted after it was sent',
  token_known: 'a person has the push token already',
  profile_full: 'the profile is as large as it may be',
  too_much_to_load: 'the people of the request are more than one request may load',
  more_than_one_match: 'more than one person is meant',
};

const mishapOf = ({ result, reason }: Fate): Mishap | undefined => {
  if (result === 'refused') return { code: reason, sentence: 'was refused when it was applied' };
  if (result !== 'ignored') return undefined;
  const sentence = Object.hasOwn(ignored, reason) ? ignored[reason] : undefined;
  return { code: 'IGNORED', sentence: sentence ?? reason, reason };
};

/** For the entry at this position of that array; `undefined` when it is in, or when its result is unknown. */
export const mishapIn = (
  { errors, outcome }: Pick<Answer, 'errors' | 'outcome'>,
  array: string,
  index: number,
): Mishap | undefined => {
  const error = errors.find((one) => one.input_array === array && one.index === index);
  if (error) return { code: error.code, sentence: error.type };
  if (outcome?.state === 'failed')
    return { code: 'NOT_APPLIED', sentence: `could not be applied: ${outcome.reason}` };
  const fate = outcome?.entries[array]?.[index];
  return fate && mishapOf(fate);
};

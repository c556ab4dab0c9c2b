/** From an answer to what became of each entry: refused at the door, failed afterwards, or ignored with a reason. Pure. */
import type { Answer, Fate } from './answer.ts';
import type { Fault } from './row.ts';

/** What became of an entry that did not do what it was sent for. */
export interface Mishap extends Fault {
  /** Why it was ignored; otherwise it was refused. */
  reason?: string;
}

/** What is behind a word of an outcome; other words are shown as they are. */
const ignored: Readonly<Record<string, string>> = {
  no_such_user: 'nobody has this identifier, and such an entry makes nobody',
  deleted: 'whoever is meant was deleted after it was sent',
  token_known: 'somebody has the push token already',
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

/** Of the entry at this position of that array; nothing when it is in, or when nobody knows. */
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

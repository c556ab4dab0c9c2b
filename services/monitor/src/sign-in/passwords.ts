/** Which passwords are good enough: length and how hard they are to guess. A rule about characters makes people choose worse ones. */

export const fewestCharacters = 12;
const most = 200;

/** Said beside the field, before one is chosen. */
export const passwordRule = `${fewestCharacters} to ${most} characters. Several words that do not belong together are good; your own name and what others would try first are refused.`;

/** Of 0 to 4: 10^8 guesses are not enough to find it. */
const goodScore = 3;

/** Letters and digits beside the user's own words. */
const fewestOthers = 8;

const guessable =
  'This password is among the first that others would try. Take several words that do not belong together, and none of your own name.';

/** The name of a user, and its parts. */
const wordsOf = (own: readonly string[]): string[] =>
  own
    .flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 2)
    .toSorted((one, other) => other.length - one.length);

const isOwn = (password: string, words: readonly string[]): boolean => {
  const text = password.toLowerCase();
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), text);
  return rest.length < text.length && rest.replace(/[^\p{L}\p{N}]/gu, '').length < fewestOthers;
};

/** What is wrong with a password. `own`: words that others try first with this user, such as their name. */
export const passwordProblem = async (
  password: string,
  own: readonly string[],
): Promise<string | undefined> => {
  if (password.length < fewestCharacters)
    return `The password needs ${fewestCharacters} characters at least.`;
  if (password.length > most) return `The password may have ${most} characters at most.`;
  const words = wordsOf(['roster', ...own]);
  if (isOwn(password, words)) return guessable;
  // Loaded by who chooses a password, and nobody else: the lists need 20 MB.
  const { scoreOf } = await import('./guessed.ts');
  return scoreOf(password, words) < goodScore ? guessable : undefined;
};

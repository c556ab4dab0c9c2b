/** What people mean by an answer to a text message. */

export type Meaning = 'stop' | 'start' | 'help';

/** The usual words of carriers. "Yes" is none of them: it may be an answer to something else. */
const words: Readonly<Record<Meaning, readonly string[]>> = {
  stop: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'],
  start: ['START', 'UNSTOP'],
  help: ['HELP', 'INFO'],
};

const meanings = new Map(
  Object.entries(words).flatMap(([meaning, all]) => all.map((word) => [word, meaning as Meaning] as const)),
);

/** A pattern for marks at the end of a text would try each mark in its middle. */
const withoutMarks = (text: string): string => {
  let end = text.length;
  while (end > 0 && '.!'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};

/** `undefined`: nothing that is for us. */
export const meaningOf = (text: string): Meaning | undefined =>
  meanings.get(withoutMarks(text.trim()).toUpperCase());

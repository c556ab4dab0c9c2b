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

/** `undefined`: nothing that is for us. */
export const meaningOf = (text: string): Meaning | undefined =>
  meanings.get(
    text
      .trim()
      .replace(/[.!]+$/, '')
      .toUpperCase(),
  );

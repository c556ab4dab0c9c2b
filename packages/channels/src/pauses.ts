/** Of a key, a project or a device: a provider that wants a pause gets no push until its end. */
import { createKept } from './kept.ts';
import type { Answer } from './outgoing.ts';

export const createPauses = () => {
  const ends = createKept<number>(10_000);
  return {
    begin(name: string, end: number): void {
      ends.keep(name, end, end);
    },
    answerFor(name: string, now: number, words: string): Answer | undefined {
      const end = ends.at(name, now);
      return end === undefined ? end : { state: 'later', reason: 'rate_limited', words, afterMs: end - now };
    },
  };
};

export type Pauses = ReturnType<typeof createPauses>;

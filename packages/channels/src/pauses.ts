/** Of a key, a project, a device or a connection: a provider that wants a pause gets nothing until its end. */
import { createKept } from './kept.ts';
import type { Answer } from './outgoing.ts';

/** What FCM documents for an answer without `Retry-After`, and the most that one answer stops. */
const pauseMs = { usual: 60_000, most: 60 * 60_000 };

/** The provider was not asked: the try does not count. */
export const pauseOf = (askedMs: number = pauseMs.usual) => ({
  state: 'later' as const,
  unbegun: true as const,
  reason: 'rate_limited' as const,
  afterMs: Math.min(askedMs, pauseMs.most),
});

export const createPauses = () => {
  const ends = createKept<number>(10_000);
  return {
    begin(name: string, now: number, askedMs?: number): void {
      const end = now + pauseOf(askedMs).afterMs;
      ends.keep(name, end, end);
    },
    answerFor(name: string, now: number, words: string): Answer | undefined {
      const end = ends.at(name, now);
      return end === undefined ? end : { ...pauseOf(end - now), words };
    },
  };
};

export type Pauses = ReturnType<typeof createPauses>;

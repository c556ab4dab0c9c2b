/** What a batch holds, within its bounds. */
import type { Entry } from './entry.ts';
import type { Limits } from './options.ts';

export interface Room {
  readonly waiting: { entries: number; bytes: number };
  /** False when there is none. */
  take(bytes: number): boolean;
  /** What a request held, once it is over. */
  give(entries: readonly Entry[]): void;
  /** Resolved when there is room. */
  wait(): Promise<void>;
}

const now = Promise.resolve();

export const createRoom = ({ maxWaiting, maxWaitingBytes }: Limits): Room => {
  const waiting = { entries: 0, bytes: 0 };
  const queue: (() => void)[] = [];
  const isRoomy = (): boolean => waiting.entries < maxWaiting && waiting.bytes < maxWaitingBytes;
  return {
    waiting,
    take(bytes) {
      if (!isRoomy()) return false;
      waiting.entries += 1;
      waiting.bytes += bytes;
      return true;
    },
    give(entries) {
      waiting.entries -= entries.length;
      for (const { bytes } of entries) waiting.bytes -= bytes;
      // One for one: those who wait do not all come at once.
      if (isRoomy()) for (const go of queue.splice(0, entries.length)) go();
    },
    wait: () => (isRoomy() ? now : new Promise((resolve) => queue.push(resolve))),
  };
};

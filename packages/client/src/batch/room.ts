/** The entries of a batch, waiting or on their way, within its bounds. */
import type { Entry } from './entry.ts';
import type { Limits } from './options.ts';

export const createRoom = ({ maxWaiting, maxWaitingBytes }: Limits) => {
  const waiting = { entries: 0, bytes: 0 };
  const queue: (() => void)[] = [];
  /** Callers that were told of room, and have not come yet: they come in the same turn of the event loop, or the promise is over. */
  let promised = 0;
  let isExpiring = false;

  const isRoomy = (): boolean => {
    const { entries, bytes } = waiting;
    const usual = bytes / Math.max(1, entries);
    return entries + promised < maxWaiting && bytes + promised * usual < maxWaitingBytes;
  };
  const promise = (): void => {
    if (!isExpiring) setTimeout(expire, 0);
    isExpiring = true;
    promised += 1;
  };
  const tell = (): void => {
    let told = 0;
    for (; told < queue.length && isRoomy(); told++) promise();
    for (const go of queue.splice(0, told)) go();
  };
  const expire = (): void => {
    promised = 0;
    isExpiring = false;
    tell();
  };

  return {
    waiting,
    /** False when there is none. */
    take(bytes: number): boolean {
      if (promised > 0) promised -= 1;
      else if (!isRoomy()) return false;
      waiting.entries += 1;
      waiting.bytes += bytes;
      return true;
    },
    /** The entries of a request that is over. */
    give(entries: readonly Entry[]): void {
      waiting.entries -= entries.length;
      for (const { bytes } of entries) waiting.bytes -= bytes;
      tell();
    },
    /** Resolved when there is room. */
    wait(): Promise<void> {
      if (!isRoomy()) return new Promise((resolve) => queue.push(resolve));
      promise();
      return Promise.resolve();
    },
  };
};

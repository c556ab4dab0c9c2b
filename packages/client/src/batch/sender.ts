/** Sends the requests of a batch, one at a time: when they are full, have waited long enough, or are to be flushed. */
import type { Draft, Drafts } from './queue.ts';

/** No process is kept alive by a batch that waits for more: at its end it is flushed. */
const afterMs = (ms: number, act: () => void): (() => void) => {
  const timer: ReturnType<typeof setTimeout> & { unref?(): void } = setTimeout(act, ms);
  timer.unref?.();
  return () => clearTimeout(timer);
};

export const createSender = (drafts: Drafts, deliver: (draft: Draft) => Promise<void>) => {
  let current: Draft | undefined;
  let stopTimer: (() => void) | undefined;

  const sendOne = async (draft: Draft): Promise<void> => {
    await deliver(draft);
    draft.end();
    current = undefined;
    pump();
  };

  const pump = (): void => {
    stopTimer?.();
    stopTimer = undefined;
    if (current) return;
    const next = drafts.due(Date.now());
    if (next === undefined) return;
    if (typeof next === 'number') {
      stopTimer = afterMs(next, pump);
      return;
    }
    current = next;
    void sendOne(next);
  };

  return {
    /** After an entry has come. */
    look(): void {
      if (!current && (!stopTimer || drafts.isUrgent())) pump();
    },
    async flush(): Promise<void> {
      const there = [...drafts.all(), ...(current ? [current] : [])];
      drafts.hurry();
      pump();
      await Promise.all(there.map(({ over }) => over));
    },
  };
};

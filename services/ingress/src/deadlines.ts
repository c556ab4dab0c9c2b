/** Time limits of many bodies at once: one timer for all, because a timer for each costs more than reading a small body. */
export interface Deadlines {
  /** Calls `late` some time after the moment, unless the answer is called before. */
  watch(atMs: number, late: () => void): () => void;
  close(): void;
}

interface Watched {
  atMs: number;
  late(): void;
}

export const createDeadlines = (everyMs = 500, now = () => performance.now()): Deadlines => {
  const watched = new Set<Watched>();
  const timer = setInterval(() => {
    const moment = now();
    for (const one of watched) {
      if (one.atMs > moment) continue;
      watched.delete(one);
      one.late();
    }
  }, everyMs);
  timer.unref();
  return {
    watch(atMs, late) {
      const one = { atMs, late };
      watched.add(one);
      return () => watched.delete(one);
    },
    close: () => clearInterval(timer),
  };
};

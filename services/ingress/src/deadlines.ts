/** Time limits of many bodies at once: one timer for all, because a timer for each costs more than reading a small body. */

interface Watched {
  atMs: number;
  late(): void;
}

export const createDeadlines = (everyMs = 500, now = () => performance.now()) => {
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
    /** Calls `late` some time after the moment, unless the answer is called before. */
    watch(atMs: number, late: () => void): () => void {
      const one = { atMs, late };
      watched.add(one);
      return () => watched.delete(one);
    },
    close: (): void => clearInterval(timer),
  };
};

export type Deadlines = ReturnType<typeof createDeadlines>;

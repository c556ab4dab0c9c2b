/** Which jobs this process works on: up to four, of one workspace at most half of the places that are left, and suspects alone. */
import type { Store } from '@roster/store';
import { type Lease, takeJob } from './lease.ts';
import { createSuspects, innocent } from './suspects.ts';

/** Jobs of a process at a time. */
export const mostJobs = 4;

/** How long a suspect runs alone. */
const usualAloneMs = 60_000;

interface TurnsOptions {
  store: Store;
  leaseMs: number;
  aloneMs?: number | undefined;
  stopping: AbortSignal;
  /** Works on a job to its end, or gives it back. */
  run(lease: Lease): Promise<void>;
  onConvicted(lease: Lease): void;
  onError(error: unknown): void;
}

export const createTurns = (options: TurnsOptions) => {
  const { store, leaseMs, aloneMs = usualAloneMs, stopping, run, onError } = options;
  const suspects = createSuspects(options);
  const running = new Map<Lease, Promise<void>>();
  let isAlone = false;

  const begin = (lease: Lease): Promise<void> => {
    const work = run(lease).finally(() => running.delete(lease));
    running.set(lease, work);
    return work;
  };

  const beginAlone = (lease: Lease): void => {
    isAlone = true;
    const timer = setTimeout(() => {
      isAlone = false;
      suspects.relieve(lease).catch(onError);
    }, aloneMs);
    timer.unref();
    void begin(lease).finally(() => {
      clearTimeout(timer);
      isAlone = false;
    });
  };

  const withoutRoom = (): string[] => {
    const counts = new Map<string, number>();
    for (const { job } of running.keys()) counts.set(job.ws, 1 + (counts.get(job.ws) ?? 0));
    return [...counts].flatMap(([ws, count]) => (count < mostJobs - running.size ? [] : [ws]));
  };

  const takeInnocent = (): Promise<Lease | undefined> =>
    takeJob({
      jobs: store.syncs.jobs,
      leaseMs,
      stopping,
      which: { ...innocent, ws: { $nin: withoutRoom() } },
    });

  return {
    count: (): number => running.size,
    /** Begins what is due. */
    async look(): Promise<void> {
      if (isAlone || stopping.aborted) return;
      const isUrgent = await suspects.haveWaited();
      while (!isUrgent && running.size < mostJobs && !stopping.aborted) {
        const lease = await takeInnocent();
        if (!lease) break;
        void begin(lease);
      }
      if (running.size > 0 || stopping.aborted) return;
      const suspect = await suspects.take();
      if (suspect) beginAlone(suspect);
    },
    async ended(): Promise<void> {
      await Promise.all(running.values());
    },
  };
};

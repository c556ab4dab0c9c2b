/** The right to work on a job: for a while, and for one process at a time. Whatever is written names the number of the lease, so that a process that was paused writes nothing. */
import type { Store, SyncJobDocument } from '@roster/store';

/** Another process has the job now, or somebody has ended it. */
export class LeaseLost extends Error {
  constructor() {
    super('the job is not ours any more');
    this.name = 'LeaseLost';
  }
}

/** The process is going down; the job goes on in another one. */
export class Stopping extends Error {}

export type Lease = ReturnType<typeof hold>;

interface LeaseOptions {
  jobs: Store['syncs']['jobs'];
  leaseMs: number;
  /** A quarter of the lease unless a test says otherwise. */
  renewMs?: number;
  /** Aborted when the process stops. */
  stopping: AbortSignal;
  /** Among these jobs. */
  which?: object;
  now?(): number;
}

const usualNow = (): number => performance.now();

/** A process that was stopped for longer than its lease finds out by the clock, before it asks MongoDB. */
const hold = (job: SyncJobDocument, since: number, options: LeaseOptions) => {
  const { jobs, leaseMs, renewMs = leaseMs / 4, stopping, now = usualNow } = options;
  const mine = { _id: job._id, token: job.token, state: 'running' as const };
  const lost = new AbortController();
  let until = since + leaseMs;
  const renew = async (): Promise<void> => {
    const asked = now();
    const due = new Date(Date.now() + leaseMs);
    const { matchedCount } = await jobs.updateOne(mine, { $set: { due } });
    if (matchedCount === 0) lost.abort(new LeaseLost());
    else until = asked + leaseMs;
  };
  // A MongoDB that is away for longer ends the lease by the clock.
  const timer = setInterval(() => void renew().catch(() => {}), renewMs);
  timer.unref();
  const signal = AbortSignal.any([lost.signal, stopping]);
  return {
    job,
    /** What every write of the job asks for. */
    mine,
    signal,
    /** Before anything leaves the process. Throws. */
    assertHeld(): void {
      signal.throwIfAborted();
      if (now() > until) throw new LeaseLost();
    },
    /** For another process, now or later. This one is still there. */
    async giveBack(change: Partial<Pick<SyncJobDocument, 'tries' | 'reason'>>, afterMs = 0): Promise<void> {
      const due = new Date(Date.now() + afterMs);
      // As before this turn.
      const taken = Math.max(0, (job.taken ?? 1) - 1);
      await jobs.updateOne(mine, { $set: { due, taken, ...change } });
    },
    end: () => clearInterval(timer),
  };
};

/** The job that waits longest, if there is one. */
export const takeJob = async (options: LeaseOptions): Promise<Lease | undefined> => {
  const { jobs, leaseMs, which, now = usualNow } = options;
  const since = now();
  const today = Date.now();
  const job = await jobs.findOneAndUpdate(
    { ...which, due: { $lte: new Date(today) } },
    { $set: { due: new Date(today + leaseMs) }, $inc: { token: 1, taken: 1 } },
    { sort: { due: 1 }, returnDocument: 'after' },
  );
  return job ? hold(job, since, options) : undefined;
};

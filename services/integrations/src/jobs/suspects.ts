/**
 * The rule that finds jobs that end their process. A process may be ended from outside at any time, so a job whose turn came to no end is only
 * a suspect. `taken` counts its turns that came to no end, as long as the job lasts: a turn that ends well between them clears it of none, because
 * a source chooses when it lets a turn end.
 *
 * | taken | its next turn |
 * |---|---|
 * | 0, 1 | with others, as always |
 * | 2 to 4 | when nothing else is to be done, and alone for its first minute. An end after that minute counts half: others began beside it |
 * | 5 | none: it fails, and its integration is paused |
 */
import { endJob } from '@roster/integrations';
import type { Store } from '@roster/store';
import { type Lease, takeJob } from './lease.ts';

const suspectAt = 2;

/** Three ends of a process that did nothing else, or five of one that did nothing else in the first minute. */
const convictedAt = 5;

const half = 0.5;

/** For so long others come first. */
const patienceMs = 600_000;

const why =
  'again and again the process that ran it ended, though nothing else ran when it began: the integration is paused; resume it when its source is right';

/** Jobs that run beside others. */
export const innocent = { taken: { $not: { $gte: suspectAt } } };

const suspected = { taken: { $gte: suspectAt } };

interface SuspectsOptions {
  store: Pick<Store, 'syncs' | 'models' | 'audit' | 'transact'>;
  leaseMs: number;
  stopping: AbortSignal;
  onConvicted(lease: Lease): void;
}

export const createSuspects = ({ store, leaseMs, stopping, onConvicted }: SuspectsOptions) => {
  const { jobs } = store.syncs;

  const giveUp = async (lease: Lease): Promise<void> => {
    const { _id: job, token } = lease.job;
    lease.end();
    await store.transact((session) =>
      endJob(store, { job, token, how: 'error', reason: why, pauses: true, session }),
    );
    onConvicted(lease);
  };

  return {
    /** Whether nothing else may begin until one of them was tried. */
    async haveWaited(): Promise<boolean> {
      const since = new Date(Date.now() - patienceMs);
      const found = { ...suspected, due: { $lte: since } };
      return (await jobs.findOne(found, { projection: { _id: 1 } })) !== null;
    },
    /** One that is to be tried alone. */
    async take(): Promise<Lease | undefined> {
      const lease = await takeJob({ jobs, leaseMs, stopping, which: suspected });
      // This turn is counted, too.
      if (!lease || (lease.job.taken ?? 1) <= convictedAt) return lease;
      await giveUp(lease);
      return undefined;
    },
    /** Others may begin beside it: what ends the process from now on is weaker evidence. Suspects are never together. */
    async relieve({ mine }: Pick<Lease, 'mine'>): Promise<void> {
      await jobs.updateOne(mine, { $inc: { taken: -half } });
    },
  };
};

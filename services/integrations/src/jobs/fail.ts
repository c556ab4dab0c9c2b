/** A try that failed: the job waits and is tried again, or ends. */
import { endJob } from '@roster/integrations';
import { SourceError } from '@roster/sources';
import type { Store } from '@roster/store';
import { type Lease, LeaseLost, Stopping } from './lease.ts';
import { reasonOf } from './reason.ts';

export interface FailOptions {
  store: Pick<Store, 'syncs' | 'models' | 'audit' | 'transact'>;
  mostTries?: number;
  /** Of the first pause after a failed try; each next one is twice as long. */
  firstPauseMs?: number;
}

interface FailLog {
  warn(about: object, words: string): void;
}

const longestPauseMs = 300_000;

export const createFail =
  ({ store, mostTries = 12, firstPauseMs = 1_000 }: FailOptions, log: FailLog) =>
  async (lease: Lease, error: unknown): Promise<void> => {
    const { job } = lease;
    if (error instanceof LeaseLost) return;
    if (error instanceof Stopping) return lease.giveBack({});
    const reason = reasonOf(error);
    const isConfig = error instanceof SourceError && error.kind === 'config';
    const now = await store.syncs.jobs.findOne(lease.mine, { projection: { tries: 1 } });
    if (!now) return;
    const tries = now.tries + 1;
    if (!(error instanceof SourceError))
      log.warn({ err: error, job: job._id }, 'a sync failed and is retried');
    if (!isConfig && tries < mostTries)
      return lease.giveBack({ tries, reason }, Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1)));
    const how = isConfig ? 'config_error' : 'error';
    await store.transact((session) =>
      endJob(store, { job: job._id, token: job.token, how, reason, session }),
    );
  };

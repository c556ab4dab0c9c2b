/** Jobs of BigQuery: none goes on when nobody waits for it. */
import type { BigQuery, Job } from '@google-cloud/bigquery';
import type { Statement } from '../warehouse/statements.ts';

/** A client whose requests end with the signal. */
export type ClientFor = (signal: AbortSignal) => BigQuery;

const cancelMs = 5_000;

export const createJobs = (clientFor: ClientFor) => {
  /** Of jobs that may run: the id, which is ours, and the location as soon as BigQuery has told it. */
  const open = new Map<string, string | undefined>();

  const begin = async (
    { text, values }: Statement,
    jobId: string,
    ms: number,
    signal: AbortSignal,
  ): Promise<Job> => {
    const params = Object.fromEntries(values.map((value, at) => [`p${at + 1}`, value]));
    open.set(jobId, undefined);
    try {
      const asked = { query: text, params, jobId, jobTimeoutMs: ms };
      const [job] = await clientFor(signal).createQueryJob(asked);
      open.set(jobId, job.location);
      return job;
    } catch (error) {
      // Of one that was stopped here nobody knows whether it has begun there.
      if (!signal.aborted) open.delete(jobId);
      throw error;
    }
  };
  const end = async (jobId: string): Promise<void> => {
    if (!open.has(jobId)) return;
    const location = open.get(jobId);
    open.delete(jobId);
    const client = clientFor(AbortSignal.timeout(cancelMs));
    await client
      .job(jobId, { ...(location && { location }) })
      .cancel()
      .catch(() => {});
  };

  return {
    begin,
    /** It has ended by itself. */
    forget: (jobId: string) => void open.delete(jobId),
    end,
    endAll: async () => {
      await Promise.all([...open.keys()].map(end));
    },
  };
};

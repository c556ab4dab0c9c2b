/** The steps of tests about integrations: make one, run a job to its end, ask about it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { System } from './system.ts';

export type Answer = Record<string, unknown>;

const mostWaits = 1_000;

/** Such as `partial 2+1`: two rows synced, one failed. */
export const inShort = ({ job_status, rows_synced, rows_failed_with_errors }: Answer): string =>
  `${job_status} ${rows_synced}+${rows_failed_with_errors}`;

/** The system is there as soon as the tests run. */
export const createSyncing = (system: () => System) => {
  const get = async (path: string): Promise<Answer> => (await system().send(path, { method: 'GET' })).body;

  const lastJob = async (id: string): Promise<Answer> => {
    const { results } = await get(`/cdi/integrations/${id}/job_sync_status`);
    return (results as Answer[])[0] ?? {};
  };

  return {
    get,
    async create(body: object): Promise<string> {
      const { body: answer } = await system().send('/cdi/integrations', {
        body: { integration_name: 'x', connection: 'warehouse', ...body },
      });
      expect(answer).toMatchObject({ message: 'success' });
      return String(answer.integration_id);
    },
    /** Begins a job and waits for its end. */
    async sync(id: string): Promise<Answer> {
      expect((await system().send(`/cdi/integrations/${id}/sync`)).status).toBe(202);
      for (let waits = 0; waits < mostWaits; waits += 1) {
        const job = await lastJob(id);
        if (job.job_status !== 'running') return job;
        await sleep(50);
      }
      throw new Error('the job does not end');
    },
    async attributes(id: string): Promise<unknown> {
      return (await system().exported(id, ['custom_attributes']))?.custom_attributes;
    },
  };
};

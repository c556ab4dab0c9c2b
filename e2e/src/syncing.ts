/** The steps of tests about integrations: make one, run a job to its end, ask about it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until, usePostgresql } from '@roster/testkit';
import { Client } from 'pg';
import type { System, Whole } from './system.ts';

type Answer = Record<string, unknown>;

/** Such as `partial 2+1`: two rows synced, one failed. */
export const inShort = ({ job_status, rows_synced, rows_failed_with_errors }: Answer): string =>
  `${job_status} ${rows_synced}+${rows_failed_with_errors}`;

/** The tables of a file of tests: a database that the connection `warehouse` leads to. */
export const useTables = (whole: Pick<Whole, 'credentials'>) => {
  let db: Client;
  let other: Client;
  usePostgresql(async (url) => {
    db = new Client(url);
    other = new Client(url);
    await Promise.all([db.connect(), other.connect()]);
    writeFileSync(join(whole.credentials, 'e2e-warehouse'), url);
    return () => Promise.all([db.end(), other.end()]);
  });
  return {
    query: (sql: string) => db.query(sql),
    /** In another session. */
    aside: (sql: string) => other.query(sql),
  };
};

export const createSyncing = (system: System) => {
  const get = async (path: string): Promise<Answer> =>
    (await system.insist((caller) => caller.get(path))).body;

  const ended = async (id: string): Promise<Answer | undefined> => {
    const { results } = await get(`/cdi/integrations/${id}/job_sync_status`);
    const [job] = results as Answer[];
    return job?.job_status === 'running' ? undefined : job;
  };

  return {
    get,
    async create(body: object): Promise<string> {
      const integration = { integration_name: 'x', connection: 'warehouse', ...body };
      const { body: answer } = await system.insist((caller) =>
        caller.post('/cdi/integrations').send(integration),
      );
      expect(answer).toMatchObject({ message: 'success' });
      return String(answer.integration_id);
    },
    /** Begins a job and waits for its end. */
    async sync(id: string): Promise<Answer> {
      const { status } = await system.insist((caller) => caller.post(`/cdi/integrations/${id}/sync`));
      expect(status).toBe(202);
      return until(() => ended(id));
    },
    /** The last job, once it has ended. */
    end: ended,
    /** Why rows of a job failed. */
    async reasonsOf(id: string, { job_id }: Answer): Promise<unknown[]> {
      const { results } = await get(`/cdi/integrations/${id}/jobs/${job_id}/rows`);
      return (results as Answer[]).map(({ reason }) => reason);
    },
    async attributes(id: string): Promise<unknown> {
      return (await system.exported(id, ['custom_attributes']))?.custom_attributes;
    },
  };
};

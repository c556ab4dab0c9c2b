/** Rows whose transaction commits after a sync has read past their time, on a real PostgreSQL. */
import { endJob } from '@roster/integrations';
import type { Cursor } from '@roster/sources';
import { usePostgresql } from '@roster/testkit';
import { Client } from 'pg';
import { makeIntegration } from '../testbed.ts';
import { bodyOf } from './outcomes.ts';
import { useJobs } from './testbed.ts';
import { forgetRows } from './window.ts';

let db: Client;
let other: Client;
const database = usePostgresql(async (url) => {
  [db, other] = [new Client(url), new Client(url)];
  await db.connect();
  await db.query("SET lock_timeout = '20s'");
  await other.connect();
  return () => Promise.all([db.end(), other.end()]);
});

const { store, test, apply, run, take, begin: beginJob, change } = useJobs('postgresql', database);

let sent: string[] = [];
beforeEach(async () => {
  sent = [];
  await other.query('ROLLBACK');
  const { rows } = await db.query('SELECT gid FROM pg_prepared_xacts');
  for (const { gid } of rows) await db.query(`ROLLBACK PREPARED '${gid}'`);
  await db.query(`DROP TABLE IF EXISTS people CASCADE;
    CREATE TABLE people (external_id text, updated_at timestamptz DEFAULT now());
    CREATE VIEW customers AS SELECT * FROM people;
    INSERT INTO people VALUES ('first', now() - interval '1 hour')`);
});

const work = async (): Promise<unknown> => {
  const lease = await take();
  const error: unknown = await run(lease, {
    async send(chunk) {
      sent.push(
        ...Object.values(bodyOf(chunk))
          .flat()
          .map(({ external_id }) => String(external_id)),
      );
      await apply(chunk);
    },
  }).catch((error) => error);
  lease.end();
  return error;
};

/** No second of grace: only what is known of transactions counts. */
const create = () => makeIntegration(test, { look_back_seconds: 0 });

const sync = async (id: string): Promise<unknown> => {
  await beginJob(id);
  return work();
};

const newest = (id: string) => store.syncs.jobs.findOne({ integration: id }, { sort: { n: -1 } });

/** As a process does that gives up. */
const fails = async (id: string, how: 'error' | 'config_error'): Promise<void> => {
  await store.transact(async (session) => {
    const job = (await newest(id))?._id ?? '';
    await endJob(store, { job, how, reason: 'it failed', session });
  });
};

const ends: readonly [string, (id: string) => Promise<unknown>][] = [
  [
    'the table is away',
    async (id) => {
      await db.query('ALTER VIEW customers RENAME TO away');
      expect(await sync(id)).toMatchObject({ code: 'table_missing' });
      await fails(id, 'config_error');
      await db.query('ALTER VIEW away RENAME TO customers');
    },
  ],
  [
    'it is given up before it reads',
    async (id) => {
      await beginJob(id);
      await fails(id, 'error');
    },
  ],
  [
    'it is paused, and resumed',
    async (id) => {
      await beginJob(id);
      await change(id, { paused: true });
      await change(id, { paused: false });
    },
  ],
  [
    'its process is killed, and another one takes it over',
    async (id) => {
      await beginJob(id);
      (await take()).end();
      await store.syncs.jobs.updateMany({ state: 'running' }, { $set: { due: new Date() } });
      await work();
    },
  ],
  [
    'somebody deletes the job',
    async (id) => {
      await beginJob(id);
      await store.syncs.jobs.deleteMany({ state: 'running' });
    },
  ],
  [
    'it is given up within the window',
    async (id) => {
      await beginJob(id);
      const { cursor = '' } = (await store.syncs.integrations.findOne({ _id: id })) ?? {};
      const early = { ...JSON.parse(cursor), updatedAt: '2026-01-31T10:00:00.000000Z' };
      const $set = { open: new Date(), cursor: JSON.stringify(early) };
      await store.syncs.jobs.updateMany({ state: 'running' }, { $set });
      await fails(id, 'error');
    },
  ],
];

const commits = {
  COMMIT: 'SELECT 1',
  "COMMIT PREPARED 'late'": "PREPARE TRANSACTION 'late'",
};

describe.each(Object.entries(commits))(
  'a transaction that is held open over a sync: %s',
  (commit, prepare) => {
    /** With rows of later transactions before and after, so that the cursor passes its time. */
    const hold = async (id: string): Promise<void> => {
      // Windows have whole seconds: younger transactions would be in them by chance.
      await other.query("BEGIN; INSERT INTO people VALUES ('late'); SELECT pg_sleep(1.1)");
      await db.query("INSERT INTO people VALUES ('second')");
      expect(await sync(id)).toBeUndefined();
      expect(sent).toEqual(['first', 'second']);
      await other.query(prepare);
    };

    it.each(ends)('is read after it commits, though the next sync ends early: %s', async (_, end) => {
      const id = await create();
      await hold(id);
      await end(id);
      await end(id);
      await other.query(commit);
      expect(await sync(id)).toBeUndefined();
      expect(sent).toEqual(['first', 'second', 'late']);
    });

    it('is read after several good syncs', async () => {
      const id = await create();
      await hold(id);
      for (const name of ['third', 'fourth']) {
        await db.query('INSERT INTO people VALUES ($1)', [name]);
        expect(await sync(id)).toBeUndefined();
      }
      await other.query(commit);
      expect(await sync(id)).toBeUndefined();
      expect(sent).toEqual(['first', 'second', 'third', 'fourth', 'late']);
    });
  },
);

it('rows of a writer whose clock is behind are read within look_back_seconds', async () => {
  const id = await makeIntegration(test, { look_back_seconds: 300 });
  await db.query("INSERT INTO people VALUES ('second')");
  await sync(id);
  await db.query("INSERT INTO people VALUES ('slow', now() - interval '4 minutes')");
  await sync(id);
  expect(sent).toEqual(['first', 'second', 'slow']);
});

it('rows of a transaction with savepoints are read after it commits', async () => {
  const id = await create();
  await other.query("BEGIN; SAVEPOINT s; INSERT INTO people VALUES ('inner'); RELEASE s; SAVEPOINT t");
  await other.query('SELECT pg_sleep(2.1)');
  await db.query("INSERT INTO people VALUES ('second')");
  await sync(id);
  await other.query("ROLLBACK TO t; INSERT INTO people VALUES ('outer'); COMMIT");
  await sync(id);
  expect(sent).toEqual(['first', 'second', 'inner', 'outer']);
});

it('a job tells how many rows have no time', async () => {
  const id = await create();
  await db.query("INSERT INTO people VALUES ('never', NULL), ('nowhere', NULL)");
  await sync(id);
  const { body } = await test.send('cdi.integration_job_status', { params: { integration_id: id } });
  expect(body.results).toMatchObject([{ job_status: 'success', rows_synced: 1, rows_without_time: 2 }]);
});

it('a job tells that they could not be counted, and goes on', async () => {
  await db.query(`INSERT INTO people VALUES ('never', NULL);
    CREATE OR REPLACE VIEW customers AS SELECT * FROM people WHERE
    CASE WHEN current_query() LIKE '%COUNT(*)%' THEN 1 / (length(external_id) - length(external_id)) > 0 ELSE true END`);
  const id = await create();
  expect(await sync(id)).toBeUndefined();
  const { body } = await test.send('cdi.integration_job_status', { params: { integration_id: id } });
  expect(body.results).toMatchObject([{ job_status: 'success', rows_synced: 1, rows_without_time: null }]);
});

it('a window is read to its end before it becomes shorter', async () => {
  const id = await create();
  await sync(id);
  const { floor: before } = (await store.syncs.integrations.findOne({ _id: id })) ?? {};
  await store.syncs.integrations.updateOne({ _id: id }, { $set: { window: 7_200 } });
  await beginJob(id);
  const [lease, integration] = [await take(), await store.syncs.integrations.findOne({ _id: id })];
  lease.end();
  if (!integration) throw new Error('no integration');
  const lookBack = ({ updatedAt }: Cursor, seconds: number): Cursor => ({
    updatedAt: new Date(Date.parse(updatedAt) - seconds * 1000).toISOString(),
    tie: null,
  });
  await forgetRows(store, { lookBack }, lease, integration);
  expect((await store.syncs.integrations.findOne({ _id: id }))?.floor).toBe(before);
});

// Rows of a table of events, from PostgreSQL to committed: how many a second, what they cost, what the process holds; and live traffic beside it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgresql } from '@roster/local-stack';
import { openStore, type Store } from '@roster/store';
import { Client } from 'pg';
import type { Bench, Setting } from '../bench.ts';
import { residentMegabytes, startClock, total } from '../cpu.ts';
import type { Figure } from '../figure.ts';
import { crowdOf } from '../load/bodies.ts';
import { freshEvents } from '../load/fresh.ts';
import { introduce } from '../load/introduce.ts';

const credential = 'bench-warehouse';

const openWarehouse = async () => {
  const dir = mkdtempSync(join(tmpdir(), 'roster-bench-warehouse-'));
  const server = await startPostgresql({ dir });
  const db = new Client(server.url);
  await db.connect();
  return {
    url: server.url,
    /** A table of its own for each run, as a nightly job of a warehouse would leave it. */
    async fill(table: string, rows: number, people: { prefix: string; count: number }): Promise<void> {
      await db.query(
        `CREATE TABLE ${table} AS SELECT n AS id, $1 || (n::int8 * 7919 % $2::int) AS external_id, 'page_viewed' AS name, '/pricing' AS path, n % 100 AS position,
         '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 millisecond' AS updated_at FROM generate_series(1, $3::int) n`,
        [people.prefix, people.count, rows],
      );
      await db.query(`CREATE INDEX ON ${table} (updated_at, id)`);
      // As PostgreSQL does by itself within a minute. Before it, the planner sorts the whole table.
      await db.query(`VACUUM ANALYZE ${table}`);
    },
    async close(): Promise<void> {
      await db.end();
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
};

type Warehouse = Awaited<ReturnType<typeof openWarehouse>>;

const call = async (
  { system: { trackUrl, apiKey } }: Setting,
  path: string,
  body?: object,
  method = 'POST',
) => {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const answer = await fetch(new URL(path, trackUrl), init);
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
};

const connect = async ({ system }: Setting, { workspaces }: Store, { url }: Warehouse): Promise<void> => {
  writeFileSync(join(system.credentialsDir, credential), url);
  const settings = await workspaces.get<{ id: string }>(system.workspace);
  const connections = [{ id: 'warehouse', kind: 'postgresql', url: { file: credential }, tls: 'off' }];
  await workspaces.put({ ...settings, id: system.workspace, integrations: { connections } });
  // Settings are at most five seconds old.
  await sleep(5_500);
};

const begin = async (setting: Setting, table: string): Promise<string> => {
  const made = await call(setting, '/cdi/integrations', {
    integration_name: table,
    connection: 'warehouse',
    table,
    data: 'events',
    key: 'id',
    identifier: { by: 'external_id', column: 'external_id' },
    columns: { name: 'name', path: 'path', position: 'position' },
  });
  await call(setting, `/cdi/integrations/${made.integration_id}/sync`);
  return String(made.integration_id);
};

interface Measured {
  perSecond: number;
  us: number;
  megabytes: number;
  detail: Record<string, number>;
}

const syncOnce = async (setting: Setting, store: Store, table: string): Promise<Measured> => {
  const [clock, began] = [startClock(setting.system.allPids()), performance.now()];
  const integration = await begin(setting, table);
  let megabytes = 0;
  for (;;) {
    megabytes = Math.max(megabytes, residentMegabytes(setting.system.pid('integrations')));
    const job = await store.syncs.jobs.findOne({ integration });
    if (job && job.state !== 'running') {
      const [cpu, seconds] = [clock(), (performance.now() - began) / 1000];
      if (job.state !== 'success') throw new Error(`the sync ended as ${job.state}: ${job.reason}`);
      const each = Object.entries(cpu).map(
        ([name, used]) => [name, Math.round((used * 1e6) / job.synced)] as const,
      );
      return {
        perSecond: job.synced / seconds,
        us: (total(cpu) * 1e6) / job.synced,
        megabytes,
        detail: Object.fromEntries(each.filter(([, us]) => us >= 1)),
      };
    }
    await sleep(100);
  }
};

/** Requests a second of callers beside a sync, over those without it just before and just after. */
const beside = async (setting: Setting, store: Store, table: string): Promise<number> => {
  const people = crowdOf(setting);
  const live = async (seconds = setting.seconds): Promise<number> => {
    const load = freshEvents(people, 10);
    const report = await setting.load({ connections: 8, seconds, load });
    return report.answered / report.seconds;
  };
  const before = await live();
  await setting.system.quiet();
  const id = await begin(setting, table);
  while (!(await store.syncs.jobs.findOne({ integration: id, synced: { $gt: 0 } }))) await sleep(100);
  // What it had on its way when the callers came takes a second.
  await live(1);
  const during = await live();
  await call(setting, `/cdi/integrations/${id}`, undefined, 'DELETE');
  await setting.system.quiet();
  return (2 * during) / (before + (await live()));
};

const measureWith = async (setting: Setting, store: Store, warehouse: Warehouse): Promise<Figure[]> => {
  const rows = setting.quick ? 50_000 : 1_000_000;
  await connect(setting, store, warehouse);
  const measured: Measured[] = [];
  for (let run = 0; run < setting.runs; run++) {
    await warehouse.fill(`clicks_${run}`, rows, crowdOf(setting));
    measured.push(await syncOnce(setting, store, `clicks_${run}`));
  }
  await warehouse.fill('beside', 4 * rows, crowdOf(setting));
  const shares: number[] = [];
  for (let run = 0; run < setting.runs; run++) shares.push(await beside(setting, store, 'beside'));
  const sizes = `${rows.toLocaleString('en')} rows of events`;
  return [
    {
      work: `rows a second, ${sizes}, from PostgreSQL to committed`,
      unit: 'rows',
      bar: { atLeast: 10_000 },
      runs: measured.map(({ perSecond }) => perSecond),
    },
    {
      work: 'CPU a row, everything but PostgreSQL',
      unit: 'us',
      bar: undefined,
      runs: measured.map(({ us }) => us),
      detail: measured.at(-1)?.detail ?? {},
    },
    {
      work: `memory of the integrations process, ${sizes}`,
      unit: 'MB',
      bar: { atMost: 250 },
      runs: measured.map(({ megabytes }) => megabytes),
    },
    { work: 'track rate beside a sync', unit: 'of alone', bar: { atLeast: 0.9 }, runs: shares },
  ];
};

export const sync: Bench = {
  name: 'sync',
  async measure(setting) {
    await introduce(setting, crowdOf(setting));
    const store = await openStore({ url: setting.system.mongoUrl, appName: 'bench' });
    const warehouse = await openWarehouse();
    try {
      return await measureWith(setting, store, warehouse);
    } finally {
      await warehouse.close();
      await store.close();
    }
  },
};
